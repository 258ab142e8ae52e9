/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** What a connection is to be, {@link HblQpAttr#caps(long)}. Source: {@code HBLDV_QP_CAP_*}. */
public final class HblQpCaps {
    /** It leads to its own port, at RTR. */
    public static final long LOOPBACK = 1 << 0;

    /** Congestion control, at RTS; external ports only. */
    public static final long CONG_CTRL = 1 << 1;

    /** Compression, at RTS. */
    public static final long COMPRESSION = 1 << 2;

    /** Selective acknowledgement; releases 1.16 and newer. */
    public static final long SACK = 1 << 3;

    /** Encapsulated by {@link HblQpAttr#encapNum()}, at RTR. */
    public static final long ENCAP = 1 << 4;

    /** Takes a number that is reserved for collectives, {@link HblQpAttr#qpNumHint()}, at INIT; releases 1.16 and newer. */
    public static final long COLL = 1 << 5;

    /** Is to take the place of {@link HblQpAttr#qpToMigrate()}, at RTR and RTS; releases 1.19 and newer. */
    public static final long MIGRATE = 1 << 6;

    private HblQpCaps() {}
}
