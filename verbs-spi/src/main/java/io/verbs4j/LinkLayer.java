/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Link layers of a port.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_query_port(3)}.
 */
public final class LinkLayer {
    /**
     * Not reported: the driver is older than RoCE, so the link is InfiniBand if the transport is
     * {@link TransportType#IB}. Source: {@code IBV_LINK_LAYER_UNSPECIFIED}, {@code ibv_query_port(3)}.
     */
    public static final int UNSPECIFIED = 0;

    /**
     * An InfiniBand link: peers are addressed by LID, and by GID across subnets. Source:
     * {@code IBV_LINK_LAYER_INFINIBAND}, {@code ibv_query_port(3)}.
     */
    public static final int INFINIBAND = 1;

    /**
     * An Ethernet link: peers are always addressed by GID. Source: {@code IBV_LINK_LAYER_ETHERNET},
     * {@code ibv_query_port(3)}.
     */
    public static final int ETHERNET = 2;

    private LinkLayer() {}

    /**
     * Returns the text of a link layer as {@code ibv_devinfo(1)} prints it.
     *
     * @param linkLayer one of the constants of this class
     * @return the text, or {@code "Unknown"} if the value has none
     */
    public static String toString(int linkLayer) {
        switch (linkLayer) {
            case UNSPECIFIED:
                return "Unspecified";
            case INFINIBAND:
                return "InfiniBand";
            case ETHERNET:
                return "Ethernet";
            default:
                return "Unknown";
        }
    }
}
