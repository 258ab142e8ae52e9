/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Kinds of nodes that a device can be.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_get_device_list(3)}.
 */
public final class NodeType {
    /**
     * A kind of node that the library could not determine. Source: {@code IBV_NODE_UNKNOWN},
     * {@code ibv_get_device_list(3)}.
     */
    public static final int UNKNOWN = -1;

    /**
     * An InfiniBand channel adapter: an end node, the usual kind; RoCE adapters report it as well. Source:
     * {@code IBV_NODE_CA}, {@code ibv_get_device_list(3)}.
     */
    public static final int CA = 1;

    /** An InfiniBand switch. Source: {@code IBV_NODE_SWITCH}, {@code ibv_get_device_list(3)}. */
    public static final int SWITCH = 2;

    /** An InfiniBand router between subnets. Source: {@code IBV_NODE_ROUTER}, {@code ibv_get_device_list(3)}. */
    public static final int ROUTER = 3;

    /** A network adapter with RDMA over iWARP. Source: {@code IBV_NODE_RNIC}, {@code ibv_get_device_list(3)}. */
    public static final int RNIC = 4;

    private NodeType() {}

    /**
     * Returns the text of a node type worded as by {@code ibv_node_type_str(3)}.
     *
     * @param nodeType one of the constants of this class
     * @return the text, or {@code "unknown"} if the value has none
     */
    public static String toString(int nodeType) {
        switch (nodeType) {
            case UNKNOWN:
                return "unknown";
            case CA:
                return "InfiniBand channel adapter";
            case SWITCH:
                return "InfiniBand switch";
            case ROUTER:
                return "InfiniBand router";
            case RNIC:
                return "iWARP NIC";
            default:
                return "unknown";
        }
    }
}
