/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.QpCreateSendOps;
import java.util.ArrayList;
import java.util.List;

/**
 * Abilities of a device's queue pairs that the transport uses. The bits are part of the protocol: both sides send
 * theirs when they connect.
 *
 * @param bits bits of this class
 */
public record Abilities(long bits) {
    /** Reliable connections: sends messages, and receives them. */
    public static final long SEND = 1;

    /** Reliable connections: writes to the peer's memory, and lets the peer write. */
    public static final long WRITE = 1 << 1;

    /** Reliable connections: writes with an immediate value, which completes a receive of the peer. */
    public static final long IMMEDIATE = 1 << 2;

    /** Reliable connections: reads from the peer's memory, and lets the peer read. */
    public static final long READ = 1 << 3;

    /** Sends and receives datagrams. */
    public static final long DATAGRAMS = 1 << 4;

    /** Datagrams are of the vendor's own type: the device loses none and delivers them in any order. */
    public static final long LOSSLESS = 1 << 5;

    /** Datagram queue pairs: writes to the peer's memory, and lets the peer write. */
    public static final long DATAGRAM_WRITE = 1 << 6;

    /** Datagram queue pairs: reads from the peer's memory, and lets the peer read. */
    public static final long DATAGRAM_READ = 1 << 7;

    /** All abilities of reliable connections. Endpoints of version 1 have them all and send none. */
    public static final Abilities ALL = new Abilities(SEND | WRITE | IMMEDIATE | READ);

    /** Abilities that every reliable connection needs. */
    static final long NEEDED = WRITE;

    private static final String[] NAMES = {"SEND", "RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_READ", "datagrams"};

    /** {@return the abilities that a device reports} */
    public static Abilities of(Context context) {
        DeviceAttrEx attr = context.queryDeviceEx();
        DeviceAttr base = attr.origAttr();
        Abilities reliable = of(attr.sendOpsRc(), Math.min(base.maxQpRdAtom(), base.maxQpInitRdAtom()));
        return reliable.withDatagrams(attr.sendOpsUd(), attr.sendOpsDriver());
    }

    static Abilities of(long operations, int reads) {
        long bits = bit(operations, QpCreateSendOps.SEND, SEND)
                | bit(operations, QpCreateSendOps.RDMA_WRITE, WRITE)
                | bit(operations, QpCreateSendOps.RDMA_WRITE_WITH_IMM, IMMEDIATE)
                | (reads > 0 ? bit(operations, QpCreateSendOps.RDMA_READ, READ) : 0);
        return new Abilities(bits);
    }

    /**
     * Returns a copy with the abilities for datagrams. No attribute describes a vendor's own type; so far it is SRD, on
     * devices without reliable connections.
     */
    Abilities withDatagrams(long ud, long vendor) {
        if (has(NEEDED) || (vendor & QpCreateSendOps.SEND) == 0) {
            return new Abilities(bits | bit(ud, QpCreateSendOps.SEND, DATAGRAMS));
        }
        return new Abilities(bits
                | DATAGRAMS
                | LOSSLESS
                | bit(vendor, QpCreateSendOps.RDMA_WRITE, DATAGRAM_WRITE)
                | bit(vendor, QpCreateSendOps.RDMA_READ, DATAGRAM_READ));
    }

    private static long bit(long operations, long operation, long bit) {
        return (operations & operation) != 0 ? bit : 0;
    }

    /** Whether it has all of these bits. */
    public boolean has(long wanted) {
        return (bits & wanted) == wanted;
    }

    /** Returns the abilities that two sides have in common. */
    Abilities and(Abilities other) {
        return new Abilities(bits & other.bits);
    }

    /** {@return the names of the wanted bits that it lacks} */
    String lacking(long wanted) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < NAMES.length; i++) {
            if ((wanted & ~bits & 1L << i) != 0) {
                names.add(NAMES[i]);
            }
        }
        return String.join(", ", names);
    }

    /** {@return the names of what a device lacks for reliable connections; null if the device can be used} */
    public String missing() {
        return has(NEEDED) || has(DATAGRAMS) ? null : lacking(NEEDED);
    }

    /** Whether connections use datagrams if this side can choose. */
    public boolean usesDatagrams() {
        return !has(NEEDED) && has(DATAGRAMS);
    }
}
