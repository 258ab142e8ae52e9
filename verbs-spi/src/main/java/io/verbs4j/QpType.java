/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Transport services of a queue pair.
 *
 * <p>For a type that it does not know, the library manages references and life cycle only; the provider validates
 * attributes and states. Source: {@code ibv_create_qp(3)}.
 */
public final class QpType {
    /**
     * Reliable connection: one peer, in order, acknowledged; all operations. Source: {@code IBV_QPT_RC},
     * {@code ibv_create_qp(3)}.
     */
    public static final int RC = 2;

    /**
     * Unreliable connection: one peer, in order, not acknowledged; sends and RDMA writes. Source: {@code IBV_QPT_UC},
     * {@code ibv_create_qp(3)}.
     */
    public static final int UC = 3;

    /**
     * Unreliable datagram: any peer and multicast, one packet per message; sends only. Source: {@code IBV_QPT_UD},
     * {@code ibv_create_qp(3)}.
     */
    public static final int UD = 4;

    /** Raw Ethernet frames. Source: {@code IBV_QPT_RAW_PACKET}, {@code ibv_create_qp(3)}. */
    public static final int RAW_PACKET = 8;

    /**
     * The sending side of an extended reliable connection; each request names a shared receive queue of the peer. Since
     * level 2. Source: {@code IBV_QPT_XRC_SEND}, {@code ibv_create_qp_ex(3)}.
     */
    public static final int XRC_SEND = 9;

    /**
     * The receiving side of an extended reliable connection; belongs to an XRC domain. Since level 2. Source:
     * {@code IBV_QPT_XRC_RECV}, {@code ibv_create_qp_ex(3)}.
     */
    public static final int XRC_RECV = 10;

    /**
     * A vendor-specific type; the vendor's own verbs define and create it. Source: {@code IBV_QPT_DRIVER},
     * {@code ibv_create_qp(3)}.
     */
    public static final int DRIVER = 0xff;

    private QpType() {}

    /**
     * Returns the name of a value.
     *
     * @param type one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int type) {
        switch (type) {
            case RC:
                return "RC";
            case UC:
                return "UC";
            case UD:
                return "UD";
            case RAW_PACKET:
                return "RAW_PACKET";
            case XRC_SEND:
                return "XRC_SEND";
            case XRC_RECV:
                return "XRC_RECV";
            case DRIVER:
                return "DRIVER";
            default:
                return "unknown (" + type + ")";
        }
    }
}
