/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Properties of a connection, for {@link HblQpAttr#caps(long)}. Source: {@code HBLDV_QP_CAP_*}. */
public final class HblQpCaps {
    /** Loops back to its own port; at RTR. */
    public static final long LOOPBACK = 1 << 0;

    /** Congestion control; at RTS, on external ports only. */
    public static final long CONG_CTRL = 1 << 1;

    /** Compression; at RTS. */
    public static final long COMPRESSION = 1 << 2;

    /** Selective acknowledgement; requires release 1.16. */
    public static final long SACK = 1 << 3;

    /** Uses the encapsulation {@link HblQpAttr#encapNum()}; at RTR. */
    public static final long ENCAP = 1 << 4;

    /** Takes a number reserved for collectives, {@link HblQpAttr#qpNumHint()}; at INIT, requires release 1.16. */
    public static final long COLL = 1 << 5;

    /** Will replace {@link HblQpAttr#qpToMigrate()}; at RTR and RTS, requires release 1.19. */
    public static final long MIGRATE = 1 << 6;

    private HblQpCaps() {}
}
