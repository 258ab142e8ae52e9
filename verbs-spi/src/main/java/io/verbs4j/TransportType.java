/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Families of RDMA transports that a device can use.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_get_device_list(3)}.
 */
public final class TransportType {
    /**
     * A transport that the library could not determine. Source: {@code IBV_TRANSPORT_UNKNOWN},
     * {@code ibv_get_device_list(3)}.
     */
    public static final int UNKNOWN = -1;

    /**
     * The InfiniBand transport, on an InfiniBand link or as RoCE on Ethernet. Source: {@code IBV_TRANSPORT_IB},
     * {@code ibv_get_device_list(3)}.
     */
    public static final int IB = 0;

    /** The iWARP transport over TCP. Source: {@code IBV_TRANSPORT_IWARP}, {@code ibv_get_device_list(3)}. */
    public static final int IWARP = 1;

    private TransportType() {}

    /**
     * Returns the text of a transport type as {@code ibv_devinfo(1)} prints it.
     *
     * @param transportType one of the constants of this class
     * @return the text, or {@code "unknown"} if the value has none
     */
    public static String toString(int transportType) {
        switch (transportType) {
            case UNKNOWN:
                return "unknown";
            case IB:
                return "InfiniBand";
            case IWARP:
                return "iWARP";
            default:
                return "unknown";
        }
    }
}
