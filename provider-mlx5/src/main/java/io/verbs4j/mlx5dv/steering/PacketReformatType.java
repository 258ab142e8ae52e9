/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * How an action adds or removes headers. Source: {@code MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_*},
 * mlx5dv_create_flow_action_packet_reformat(3).
 */
public final class PacketReformatType {
    /**
     * Takes the tunnel off a frame that is inside. No data. Source:
     * {@code MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TUNNEL_TO_L2}.
     */
    public static final int L2_TUNNEL_TO_L2 = 0;

    /**
     * Puts the frame into a tunnel: the data are its headers. Source:
     * {@code MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL}.
     */
    public static final int L2_TO_L2_TUNNEL = 1;

    /**
     * Takes the tunnel off a packet that is inside: the data are an Ethernet header for it. Source:
     * {@code MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L3_TUNNEL_TO_L2}.
     */
    public static final int L3_TUNNEL_TO_L2 = 2;

    /**
     * Puts the packet without its Ethernet header into a tunnel: the data are its headers. Source:
     * {@code MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L3_TUNNEL}.
     */
    public static final int L2_TO_L3_TUNNEL = 3;

    private PacketReformatType() {}
}
