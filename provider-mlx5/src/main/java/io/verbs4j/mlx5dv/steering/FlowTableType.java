/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Types of device tables that a matcher, an action or an anchor belongs to. Source: {@code MLX5DV_FLOW_TABLE_TYPE_*},
 * mlx5dv_create_flow_matcher(3).
 */
public final class FlowTableType {
    /** Received Ethernet frames. Source: {@code MLX5DV_FLOW_TABLE_TYPE_NIC_RX}. */
    public static final int NIC_RX = 0;

    /** Sent Ethernet frames. Source: {@code MLX5DV_FLOW_TABLE_TYPE_NIC_TX}. */
    public static final int NIC_TX = 1;

    /** The embedded switch. Source: {@code MLX5DV_FLOW_TABLE_TYPE_FDB}. */
    public static final int FDB = 2;

    /** Received RDMA packets. Source: {@code MLX5DV_FLOW_TABLE_TYPE_RDMA_RX}. */
    public static final int RDMA_RX = 3;

    /** Sent RDMA packets. Source: {@code MLX5DV_FLOW_TABLE_TYPE_RDMA_TX}; rdma-core 34. */
    public static final int RDMA_TX = 4;

    /**
     * RDMA packets received by a port of the switch. Source: {@code MLX5DV_FLOW_TABLE_TYPE_RDMA_TRANSPORT_RX};
     * rdma-core 57.
     */
    public static final int RDMA_TRANSPORT_RX = 5;

    /**
     * RDMA packets sent by a port of the switch. Source: {@code MLX5DV_FLOW_TABLE_TYPE_RDMA_TRANSPORT_TX}; rdma-core
     * 57.
     */
    public static final int RDMA_TRANSPORT_TX = 6;

    private FlowTableType() {}
}
