/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

/**
 * Port spaces: the type of end that a port number belongs to. Source: {@code enum rdma_port_space}, rdma_create_id(3).
 */
public final class PortSpace {
    /** Datagrams in the partition of IP over InfiniBand. Source: {@code RDMA_PS_IPOIB}, rdma_create_id(3). */
    public static final int IPOIB = 0x0002;

    /** Connected queue pairs, RC. Source: {@code RDMA_PS_TCP}, rdma_create_id(3). */
    public static final int TCP = 0x0106;

    /** Datagrams, UD. Source: {@code RDMA_PS_UDP}, rdma_create_id(3). */
    public static final int UDP = 0x0111;

    /** Any service, by native addresses. Source: {@code RDMA_PS_IB}, rdma_create_id(3). */
    public static final int IB = 0x013F;

    /**
     * Q_Key of all queue pairs and groups in the port spaces for datagrams. Source: {@code RDMA_UDP_QKEY}, rdma_cma.h.
     */
    public static final int UDP_QKEY = 0x0123_4567;

    private PortSpace() {}

    /**
     * Returns the name of a port space.
     *
     * @param portSpace one of the constants of this class
     * @return the name, or a text with the number
     */
    public static String toString(int portSpace) {
        return switch (portSpace) {
            case IPOIB -> "IPOIB";
            case TCP -> "TCP";
            case UDP -> "UDP";
            case IB -> "IB";
            default -> "port space 0x" + Integer.toHexString(portSpace);
        };
    }
}
