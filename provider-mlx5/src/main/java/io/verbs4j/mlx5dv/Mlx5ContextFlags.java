/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Flags of {@link Mlx5DeviceAttr#flags()}. Source: mlx5dv_query_device(3), {@code MLX5DV_CONTEXT_FLAGS_*}.
 */
public final class Mlx5ContextFlags {
    /**
     * Completions identify a queue by an index that the process assigned. Source: {@code MLX5DV_CONTEXT_FLAGS_CQE_V1}.
     */
    public static final long CQE_V1 = 1L << 0;

    /** A send request can contain several packets. Source: {@code MLX5DV_CONTEXT_FLAGS_MPW_ALLOWED}; rdma-core 15. */
    public static final long MPW_ALLOWED = 1L << 2;

    /**
     * A send request can contain several packets, in the enhanced form. Source:
     * {@code MLX5DV_CONTEXT_FLAGS_ENHANCED_MPW}; rdma-core 15.
     */
    public static final long ENHANCED_MPW = 1L << 3;

    /**
     * Completions of 128 bytes can be compressed. Source: {@code MLX5DV_CONTEXT_FLAGS_CQE_128B_COMP}; rdma-core 16.
     */
    public static final long CQE_128B_COMP = 1L << 4;

    /** Completions can be padded to 128 bytes. Source: {@code MLX5DV_CONTEXT_FLAGS_CQE_128B_PAD}; rdma-core 16. */
    public static final long CQE_128B_PAD = 1L << 5;

    /** Packet-based end-to-end credits. Source: {@code MLX5DV_CONTEXT_FLAGS_PACKET_BASED_CREDIT_MODE}; rdma-core 22. */
    public static final long PACKET_BASED_CREDIT_MODE = 1L << 6;

    /** Real-time time stamps. Source: {@code MLX5DV_CONTEXT_FLAGS_REAL_TIME_TS}; rdma-core 36. */
    public static final long REAL_TIME_TS = 1L << 7;

    /**
     * A request can be copied into the doorbell register. Source: {@code MLX5DV_CONTEXT_FLAGS_BLUEFLAME}; rdma-core
     * 58.
     */
    public static final long BLUEFLAME = 1L << 8;

    private Mlx5ContextFlags() {}
}
