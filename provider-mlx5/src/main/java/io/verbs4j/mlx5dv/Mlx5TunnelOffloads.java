/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Bits of {@link Mlx5DeviceAttr#tunnelOffloads()}. Source: mlx5dv_query_device(3), {@code
 * MLX5DV_RAW_PACKET_CAP_TUNNELED_OFFLOAD_*}.
 */
public final class Mlx5TunnelOffloads {
    /** VXLAN. Source: {@code MLX5DV_RAW_PACKET_CAP_TUNNELED_OFFLOAD_VXLAN}; rdma-core 16. */
    public static final int VXLAN = 1 << 0;

    /** GRE. Source: {@code MLX5DV_RAW_PACKET_CAP_TUNNELED_OFFLOAD_GRE}; rdma-core 16. */
    public static final int GRE = 1 << 1;

    /** GENEVE. Source: {@code MLX5DV_RAW_PACKET_CAP_TUNNELED_OFFLOAD_GENEVE}; rdma-core 16. */
    public static final int GENEVE = 1 << 2;

    /**
     * MPLS with control word over GRE. Source: {@code MLX5DV_RAW_PACKET_CAP_TUNNELED_OFFLOAD_CW_MPLS_OVER_GRE};
     * rdma-core 19.
     */
    public static final int CW_MPLS_OVER_GRE = 1 << 3;

    /**
     * MPLS with control word over UDP. Source: {@code MLX5DV_RAW_PACKET_CAP_TUNNELED_OFFLOAD_CW_MPLS_OVER_UDP};
     * rdma-core 19.
     */
    public static final int CW_MPLS_OVER_UDP = 1 << 4;

    private Mlx5TunnelOffloads() {}
}
