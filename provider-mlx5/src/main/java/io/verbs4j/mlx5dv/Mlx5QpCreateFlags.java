/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Flags of {@link Mlx5QpInitAttr#createFlags(int)}. Source: mlx5dv_create_qp(3), {@code MLX5DV_QP_CREATE_*}.
 */
public final class Mlx5QpCreateFlags {
    /** Tunnel offloads. Source: {@code MLX5DV_QP_CREATE_TUNNEL_OFFLOADS}; rdma-core 16. */
    public static final int TUNNEL_OFFLOADS = 1 << 0;

    /**
     * The device's own unicast packets are received. Source: {@code MLX5DV_QP_CREATE_TIR_ALLOW_SELF_LOOPBACK_UC};
     * rdma-core 21.
     */
    public static final int TIR_ALLOW_SELF_LOOPBACK_UC = 1 << 1;

    /**
     * The device's own multicast packets are received. Source: {@code MLX5DV_QP_CREATE_TIR_ALLOW_SELF_LOOPBACK_MC};
     * rdma-core 21.
     */
    public static final int TIR_ALLOW_SELF_LOOPBACK_MC = 1 << 2;

    /** Completions contain no data. Source: {@code MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE}; rdma-core 21. */
    public static final int DISABLE_SCATTER_TO_CQE = 1 << 3;

    /**
     * Completions of requests may contain data as well, but not where libmlx5 polls. Source:
     * {@code MLX5DV_QP_CREATE_ALLOW_SCATTER_TO_CQE}; rdma-core 21.
     */
    public static final int ALLOW_SCATTER_TO_CQE = 1 << 4;

    /** Packet-based end-to-end credits. Source: {@code MLX5DV_QP_CREATE_PACKET_BASED_CREDIT_MODE}; rdma-core 22. */
    public static final int PACKET_BASED_CREDIT_MODE = 1 << 5;

    /**
     * A transfer waits for the check of its signature. Source: {@code MLX5DV_QP_CREATE_SIG_PIPELINING}; rdma-core 36.
     */
    public static final int SIG_PIPELINING = 1 << 6;

    /** Data may be placed out of order. Source: {@code MLX5DV_QP_CREATE_OOO_DP}; rdma-core 55. */
    public static final int OOO_DP = 1 << 7;

    private Mlx5QpCreateFlags() {}
}
