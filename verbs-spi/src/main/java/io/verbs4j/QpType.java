/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Transport services of a queue pair.
 *
 * <p>The library keeps references and life cycle for a type that it does not know, and has no opinion on its attributes and
 * states: these are the provider's. Source: {@code ibv_create_qp(3)}.
 */
public final class QpType {
    /**
     * Reliable connection: one peer, in order, acknowledged; all operations. Source: {@code IBV_QPT_RC},
     * ibv_create_qp(3).
     */
    public static final int RC = 2;

    /**
     * Unreliable connection: one peer, in order, not acknowledged; sends and RDMA writes. Source: {@code IBV_QPT_UC},
     * ibv_create_qp(3).
     */
    public static final int UC = 3;

    /**
     * Unreliable datagram: any peer and multicast, one packet a message; sends only. Source: {@code IBV_QPT_UD},
     * ibv_create_qp(3).
     */
    public static final int UD = 4;

    /** Ethernet frames as they are. Source: {@code IBV_QPT_RAW_PACKET}, ibv_create_qp(3). */
    public static final int RAW_PACKET = 8;

    /**
     * A type of the vendor's own; which one, and how it is made, its own verbs tell. Source: {@code IBV_QPT_DRIVER},
     * ibv_create_qp(3).
     */
    public static final int DRIVER = 0xff;

    private QpType() {}

    /**
     * Name of a value.
     *
     * @param type one of the constants of this class
     * @return the name, {@code "unknown (99)"} for a value 99 without one
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
            case DRIVER:
                return "DRIVER";
            default:
                return "unknown (" + type + ")";
        }
    }
}
