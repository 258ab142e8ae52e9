/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Types of the specifications of a {@link Flow}. A filter for the packet inside a tunnel has the bit {@link #INNER}. A
 * callee that does not know a type fails with EOPNOTSUPP. Since level 4. Source: {@code enum ibv_flow_spec_type},
 * {@code ibv_create_flow(3)}.
 */
public final class FlowSpecType {
    /** {@link FlowSpecEth}. Source: {@code IBV_FLOW_SPEC_ETH}, {@code ibv_create_flow(3)}. */
    public static final int ETH = 0x20;

    /** {@link FlowSpecIpv4}. Source: {@code IBV_FLOW_SPEC_IPV4}, {@code ibv_create_flow(3)}. */
    public static final int IPV4 = 0x30;

    /** {@link FlowSpecIpv6}. Source: {@code IBV_FLOW_SPEC_IPV6}, {@code ibv_create_flow(3)}. */
    public static final int IPV6 = 0x31;

    /** {@link FlowSpecIpv4Ext}. Source: {@code IBV_FLOW_SPEC_IPV4_EXT}, {@code ibv_create_flow(3)}. */
    public static final int IPV4_EXT = 0x32;

    /** {@link FlowSpecEsp}. Source: {@code IBV_FLOW_SPEC_ESP}, {@code ibv_create_flow(3)}. */
    public static final int ESP = 0x34;

    /** {@link FlowSpecTcpUdp} for TCP. Source: {@code IBV_FLOW_SPEC_TCP}, {@code ibv_create_flow(3)}. */
    public static final int TCP = 0x40;

    /** {@link FlowSpecTcpUdp} for UDP. Source: {@code IBV_FLOW_SPEC_UDP}, {@code ibv_create_flow(3)}. */
    public static final int UDP = 0x41;

    /** {@link FlowSpecTunnel}. Source: {@code IBV_FLOW_SPEC_VXLAN_TUNNEL}, {@code ibv_create_flow(3)}. */
    public static final int VXLAN_TUNNEL = 0x50;

    /** {@link FlowSpecGre}. Source: {@code IBV_FLOW_SPEC_GRE}, {@code ibv_create_flow(3)}. */
    public static final int GRE = 0x51;

    /** {@link FlowSpecMpls}. Source: {@code IBV_FLOW_SPEC_MPLS}, {@code ibv_create_flow(3)}. */
    public static final int MPLS = 0x60;

    /**
     * Bit: the filter applies to the packet inside a tunnel. Source: {@code IBV_FLOW_SPEC_INNER},
     * {@code ibv_create_flow(3)}.
     */
    public static final int INNER = 0x100;

    /** {@link FlowSpecActionTag}. Source: {@code IBV_FLOW_SPEC_ACTION_TAG}, {@code ibv_create_flow(3)}. */
    public static final int ACTION_TAG = 0x1000;

    /** {@link FlowSpecActionDrop}. Source: {@code IBV_FLOW_SPEC_ACTION_DROP}, {@code ibv_create_flow(3)}. */
    public static final int ACTION_DROP = 0x1001;

    /** {@link FlowSpecActionHandle}. Source: {@code IBV_FLOW_SPEC_ACTION_HANDLE}, {@code ibv_create_flow(3)}. */
    public static final int ACTION_HANDLE = 0x1002;

    /** {@link FlowSpecActionCount}. Source: {@code IBV_FLOW_SPEC_ACTION_COUNT}, {@code ibv_create_flow(3)}. */
    public static final int ACTION_COUNT = 0x1003;

    private FlowSpecType() {}

    /**
     * Returns the name of a value.
     *
     * @param value one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int value) {
        if (value > INNER && value < INNER << 1) {
            return "INNER|" + toString(value & ~INNER);
        }
        switch (value) {
            case ETH:
                return "ETH";
            case IPV4:
                return "IPV4";
            case IPV6:
                return "IPV6";
            case IPV4_EXT:
                return "IPV4_EXT";
            case ESP:
                return "ESP";
            case TCP:
                return "TCP";
            case UDP:
                return "UDP";
            case VXLAN_TUNNEL:
                return "VXLAN_TUNNEL";
            case GRE:
                return "GRE";
            case MPLS:
                return "MPLS";
            case INNER:
                return "INNER";
            case ACTION_TAG:
                return "ACTION_TAG";
            case ACTION_DROP:
                return "ACTION_DROP";
            case ACTION_HANDLE:
                return "ACTION_HANDLE";
            case ACTION_COUNT:
                return "ACTION_COUNT";
            default:
                return "unknown (" + value + ")";
        }
    }
}
