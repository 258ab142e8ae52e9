/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Groups of attributes that {@link Mlx5Dv#queryDevice(long)} can query. Source: mlx5dv_query_device(3),
 * {@code MLX5DV_CONTEXT_MASK_*}.
 */
public final class Mlx5ContextMask {
    /** Compressed completions. Source: {@code MLX5DV_CONTEXT_MASK_CQE_COMPRESION}; rdma-core 14. */
    public static final long CQE_COMPRESSION = 1L << 0;

    /** Header parsing by software. Source: {@code MLX5DV_CONTEXT_MASK_SWP}; rdma-core 16. */
    public static final long SWP = 1L << 1;

    /** Striding receive queues. Source: {@code MLX5DV_CONTEXT_MASK_STRIDING_RQ}; rdma-core 16. */
    public static final long STRIDING_RQ = 1L << 2;

    /** Tunnel offloads. Source: {@code MLX5DV_CONTEXT_MASK_TUNNEL_OFFLOADS}; rdma-core 16. */
    public static final long TUNNEL_OFFLOADS = 1L << 3;

    /**
     * The number of doorbell registers that can be allocated in addition to the usual ones. Source:
     * {@code MLX5DV_CONTEXT_MASK_DYN_BFREGS}; rdma-core 17.
     */
    public static final long DYN_BFREGS = 1L << 4;

    /**
     * How often {@link Mlx5Dv#clockInfo()} must be queried again. Source:
     * {@code MLX5DV_CONTEXT_MASK_CLOCK_INFO_UPDATE}; rdma-core 17.
     */
    public static final long CLOCK_INFO_UPDATE = 1L << 5;

    /** Flow steering actions. Source: {@code MLX5DV_CONTEXT_MASK_FLOW_ACTION_FLAGS}; rdma-core 18. */
    public static final long FLOW_ACTION_FLAGS = 1L << 6;

    /** On-demand paging with DC. Source: {@code MLX5DV_CONTEXT_MASK_DC_ODP_CAPS}; rdma-core 26. */
    public static final long DC_ODP_CAPS = 1L << 7;

    /** The address of the device's clock. Source: {@code MLX5DV_CONTEXT_MASK_HCA_CORE_CLOCK}; rdma-core 27. */
    public static final long HCA_CORE_CLOCK = 1L << 8;

    /** Bonded ports. Source: {@code MLX5DV_CONTEXT_MASK_NUM_LAG_PORTS}; rdma-core 30. */
    public static final long NUM_LAG_PORTS = 1L << 9;

    /** Block signatures. Source: {@code MLX5DV_CONTEXT_MASK_SIGNATURE_OFFLOAD}; rdma-core 36. */
    public static final long SIGNATURE_OFFLOAD = 1L << 10;

    /** Streams of a DC initiator. Source: {@code MLX5DV_CONTEXT_MASK_DCI_STREAMS}; rdma-core 37. */
    public static final long DCI_STREAMS = 1L << 11;

    /** Copies within the device. Source: {@code MLX5DV_CONTEXT_MASK_WR_MEMCPY_LENGTH}; rdma-core 37. */
    public static final long WR_MEMCPY_LENGTH = 1L << 12;

    /** Encryption. Source: {@code MLX5DV_CONTEXT_MASK_CRYPTO_OFFLOAD}; rdma-core 37. */
    public static final long CRYPTO_OFFLOAD = 1L << 13;

    /** Outstanding reads and atomics with DC. Source: {@code MLX5DV_CONTEXT_MASK_MAX_DC_RD_ATOM}; rdma-core 47. */
    public static final long MAX_DC_RD_ATOM = 1L << 14;

    /** Packet metadata. Source: {@code MLX5DV_CONTEXT_MASK_REG_C0}; rdma-core 50. */
    public static final long REG_C0 = 1L << 15;

    /** Out-of-order receives. Source: {@code MLX5DV_CONTEXT_MASK_OOO_RECV_WRS}; rdma-core 55. */
    public static final long OOO_RECV_WRS = 1L << 16;

    private Mlx5ContextMask() {}
}
