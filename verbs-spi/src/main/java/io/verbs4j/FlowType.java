/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Types of a {@link Flow}: {@link FlowAttr#type()}. Since level 4. Source: {@code enum ibv_flow_attr_type},
 * ibv_create_flow(3).
 */
public final class FlowType {
    /** What the specifications match. Source: {@code IBV_FLOW_ATTR_NORMAL}, ibv_create_flow(3). */
    public static final int NORMAL = 0;

    /**
     * All packets of the port that no other flow takes. Source: {@code IBV_FLOW_ATTR_ALL_DEFAULT}, ibv_create_flow(3).
     */
    public static final int ALL_DEFAULT = 1;

    /**
     * All multicast packets of the port that no other flow takes. Source: {@code IBV_FLOW_ATTR_MC_DEFAULT},
     * ibv_create_flow(3).
     */
    public static final int MC_DEFAULT = 2;

    /**
     * All packets of the port, besides where they go otherwise. Source: {@code IBV_FLOW_ATTR_SNIFFER},
     * ibv_create_flow(3).
     */
    public static final int SNIFFER = 3;

    private FlowType() {}

    /**
     * Name of a value.
     *
     * @param value one of the constants of this class
     * @return the name, {@code "unknown (99)"} for a value 99 without one
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
