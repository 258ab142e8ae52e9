/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Types of a {@link Flow}: {@link FlowAttr#type()}. Since level 4. Source: {@code enum ibv_flow_attr_type},
 * {@code ibv_create_flow(3)}.
 */
public final class FlowType {
    /** Packets that match the specifications. Source: {@code IBV_FLOW_ATTR_NORMAL}, {@code ibv_create_flow(3)}. */
    public static final int NORMAL = 0;

    /**
     * All packets of the port that no other flow takes. Source: {@code IBV_FLOW_ATTR_ALL_DEFAULT},
     * {@code ibv_create_flow(3)}.
     */
    public static final int ALL_DEFAULT = 1;

    /**
     * All multicast packets of the port that no other flow takes. Source: {@code IBV_FLOW_ATTR_MC_DEFAULT},
     * {@code ibv_create_flow(3)}.
     */
    public static final int MC_DEFAULT = 2;

    /**
     * A copy of all packets of the port, which also go to their usual destination. Source:
     * {@code IBV_FLOW_ATTR_SNIFFER}, {@code ibv_create_flow(3)}.
     */
    public static final int SNIFFER = 3;

    private FlowType() {}

    /**
     * Returns the name of a value.
     *
     * @param value one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int value) {
        switch (value) {
            case NORMAL:
                return "NORMAL";
            case ALL_DEFAULT:
                return "ALL_DEFAULT";
            case MC_DEFAULT:
                return "MC_DEFAULT";
            case SNIFFER:
                return "SNIFFER";
            default:
                return "unknown (" + value + ")";
        }
    }
}
