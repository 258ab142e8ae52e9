/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.QpCreateSendOps;
import java.util.ArrayList;
import java.util.List;

/**
 * What reliable connections of a device can do, as far as the transport has a use for it. The bits are part of the
 * protocol: both sides send theirs when they connect.
 *
 * @param bits bits of this class
 */
public record Abilities(long bits) {
    /** Sends messages, and takes them by receives. */
    public static final long SEND = 1;

    /** Writes to the peer's memory, and has its own written. */
    public static final long WRITE = 1 << 1;

    /** Writes with an immediate value, which completes a receive of the peer. */
    public static final long IMMEDIATE = 1 << 2;

    /** Reads from the peer's memory, and has its own read. */
    public static final long READ = 1 << 3;

    /** All of them: what endpoints of version 1 have, which send none. */
    public static final Abilities ALL = new Abilities(SEND | WRITE | IMMEDIATE | READ);

    /** What every connection needs. */
    static final long NEEDED = WRITE;

    private static final String[] NAMES = {"SEND", "RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_READ"};

    /** {@return what a device says of itself} */
    public static Abilities of(Context context) {
        DeviceAttrEx attr = context.queryDeviceEx();
        DeviceAttr base = attr.origAttr();
        return of(attr.sendOpsRc(), Math.min(base.maxQpRdAtom(), base.maxQpInitRdAtom()));
    }

    static Abilities of(long operations, int reads) {
        long bits = bit(operations, QpCreateSendOps.SEND, SEND)
                | bit(operations, QpCreateSendOps.RDMA_WRITE, WRITE)
                | bit(operations, QpCreateSendOps.RDMA_WRITE_WITH_IMM, IMMEDIATE)
                | (reads > 0 ? bit(operations, QpCreateSendOps.RDMA_READ, READ) : 0);
        return new Abilities(bits);
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

    /** {@return what a device lacks that every connection needs, in words; null where it has that} */
    public String missing() {
        return has(NEEDED) ? null : lacking(NEEDED);
    }
}
