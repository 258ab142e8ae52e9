/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Types of actions that add or remove headers. Source: {@code MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_*},
 * mlx5dv_create_flow_action_packet_reformat(3).
 */
public final class PacketReformatType {
    /**
     * Removes the tunnel around a frame. Takes no data. Source:
     * {@code MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TUNNEL_TO_L2}.
     */
    public static final int L2_TUNNEL_TO_L2 = 0;

    /**
     * Wraps a frame in a tunnel: the data are its headers. Source:
     * {@code MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL}.
     */
    public static final int L2_TO_L2_TUNNEL = 1;

    /**
     * Removes the tunnel around a packet: the data are an Ethernet header for the packet. Source:
     * {@code MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L3_TUNNEL_TO_L2}.
     */
    public static final int L3_TUNNEL_TO_L2 = 2;

    /**
     * Wraps a packet without its Ethernet header in a tunnel: the data are the tunnel's headers. Source:
     * {@code MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L3_TUNNEL}.
     */
    public static final int L2_TO_L3_TUNNEL = 3;

    private PacketReformatType() {}
}
