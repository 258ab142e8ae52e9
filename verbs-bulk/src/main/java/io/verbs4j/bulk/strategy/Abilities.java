/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.QpCreateSendOps;
import java.util.ArrayList;
import java.util.List;

/**
 * What queue pairs of a device can do, as far as the transport has a use for it. The bits are part of the protocol:
 * both sides send theirs when they connect.
 *
 * @param bits bits of this class
 */
public record Abilities(long bits) {
    /** Reliable connections: sends messages, and takes them by receives. */
    public static final long SEND = 1;

    /** Reliable connections: writes to the peer's memory, and has its own written. */
    public static final long WRITE = 1 << 1;

    /** Reliable connections: writes with an immediate value, which completes a receive of the peer. */
    public static final long IMMEDIATE = 1 << 2;

    /** Reliable connections: reads from the peer's memory, and has its own read. */
    public static final long READ = 1 << 3;

    /** Sends datagrams, and takes them by receives. */
    public static final long DATAGRAMS = 1 << 4;

    /** Datagrams are of the vendor's own type: the device loses none, and delivers them in any order. */
    public static final long LOSSLESS = 1 << 5;

    /** By queue pairs for datagrams, it writes to the peer's memory, and has its own written. */
    public static final long DATAGRAM_WRITE = 1 << 6;

    /** By queue pairs for datagrams, it reads from the peer's memory, and has its own read. */
    public static final long DATAGRAM_READ = 1 << 7;

    /** All of reliable connections: what endpoints of version 1 have, which send none. */
    public static final Abilities ALL = new Abilities(SEND | WRITE | IMMEDIATE | READ);

    /** What every reliable connection needs. */
    static final long NEEDED = WRITE;

    private static final String[] NAMES = {"SEND", "RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_READ", "datagrams"};

    /** {@return what a device says of itself} */
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
     * The same, and those of datagrams. No attribute says what a vendor's own type is like; so far it is SRD on devices
     * without reliable connections.
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

    /** Whether it has all of some bits. */
    public boolean has(long wanted) {
        return (bits & wanted) == wanted;
    }

    /** What two sides can do with each other. */
    Abilities and(Abilities other) {
        return new Abilities(bits & other.bits);
    }

    /** {@return the names of bits that it lacks, of some} */
    String lacking(long wanted) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < NAMES.length; i++) {
            if ((wanted & ~bits & 1L << i) != 0) {
                names.add(NAMES[i]);
            }
        }
        return String.join(", ", names);
    }

    /** {@return what a device lacks that it needs for reliable connections, in words; null where it can be used} */
    public String missing() {
        return has(NEEDED) || has(DATAGRAMS) ? null : lacking(NEEDED);
    }

    /** Whether connections go by datagrams, where this side can choose. */
    public boolean usesDatagrams() {
        return !has(NEEDED) && has(DATAGRAMS);
    }
}
