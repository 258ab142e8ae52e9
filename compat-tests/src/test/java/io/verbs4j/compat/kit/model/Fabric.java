/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.WrOpcode;
import io.verbs4j.compat.kit.Capability;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What all contexts share: numbers, keys, memory. One lock for everything. */
final class Fabric {
    static final Gid GID = Gid.of(0xfe80_0000_0000_0000L, 0x0000_0000_0000_4d01L);
    static final int MTU = 1024;

    /** Guards everything here, and in all objects of the model. */
    static final Object LOCK = new Object();

    static final Map<Integer, ModelQp> QPS = new TreeMap<>();
    static final Map<Integer, ModelSrq> SRQS = new TreeMap<>();
    static final Map<Integer, Region> KEYS = new HashMap<>();
    static final Map<Path, Object> DOMAINS = new HashMap<>();
    static final Map<Gid, Set<ModelQp>> GROUPS = new HashMap<>();
    static final List<ModelOps> OPEN = new java.util.ArrayList<>();
    private static final Map<Integer, Region> CLOSED = new HashMap<>();
    /** The one remote key of a device whose keys are not the regions'. */
    static final int CONNECTION_KEY = 0x77;
    /** In the place of an operation: a receive. */
    static final int RECEIVE = -1;

    /** The clock has few bits, so that it soon begins again. */
    static final long CLOCK_MASK = 0xff;

    private static long clock = 0xf0;
    private static int numbers = 100;
    private static int keys = 0x1000;
    private static long addresses = 1L << 40;

    private Fabric() {}

    /** The clock goes on with each look at it. */
    static long now() {
        clock = clock + 1 & CLOCK_MASK;
        return clock;
    }

    static int number() {
        return ++numbers;
    }

    /**
     * Memory behind a key: a region, or the part of one that a window is bound to. It begins {@code start} bytes into the memory; pieces,
     * where there are some, are its memory instead.
     */
    record Region(
            ProtectionDomain pd,
            ByteBuffer memory,
            long addr,
            long length,
            int access,
            long start,
            List<ScatterGatherElement> pieces) {
        Region(ProtectionDomain pd, ByteBuffer memory, long addr, long length, int access) {
            this(pd, memory, addr, length, access, addr - (addr >>> 33 << 33), null);
        }

        /** Memory by another address than its own; null for a region of nothing. */
        Region(ProtectionDomain pd, ByteBuffer memory, long addr, long length, int access, long start) {
            this(pd, memory, addr, length, access, start, null);
        }

        /** Pieces of other regions, one after the other. */
        Region(ProtectionDomain pd, List<ScatterGatherElement> pieces, long addr, long length, int access) {
            this(pd, null, addr, length, access, 0, pieces);
        }
    }

    static final class Mr extends MemoryRegion {
        Mr(ProtectionDomain pd, long addr, long length, int access, int key) {
            super(pd, addr, length, access, key, Traits.has(Capability.REGION_KEYS) ? key : CONNECTION_KEY);
        }
    }

    static final class Mw extends MemoryWindow {
        /** Of type 2: where it is bound, and the key that it has then. */
        ModelQp on;

        int key;

        Mw(ProtectionDomain pd, int type, int rkey) {
            super(pd, type, rkey);
            key = rkey;
        }

        /** The key that programs see. */
        private void tells(int rkey) {
            updateRkey(rkey);
        }

        private void bound(int key) {
            KEYS.remove(rkey());
            updateRkey(key);
        }
    }

    static void tells(Mw mw, int rkey) {
        mw.tells(rkey);
    }

    static void bound(MemoryWindow mw, int key) {
        ((Mw) mw).bound(key);
    }

    static Mr register(ProtectionDomain pd, ByteBuffer buffer, int access) {
        ByteBuffer memory = Fault.WHOLE_BUFFER.on() ? buffer.duplicate().clear().slice() : buffer.slice();
        long addr = newAddress();
        Mr mr = new Mr(pd, addr, memory.capacity(), access, newKey());
        KEYS.put(mr.lkey(), new Region(pd, memory, addr, memory.capacity(), access, 0));
        return mr;
    }

    static long newAddress() {
        long addr = addresses;
        addresses += 1L << 33;
        return addr;
    }

    static int newKey() {
        return ++keys;
    }

    static void forget(int key) {
        if (!Fault.NEVER_DEREGISTERS.on() && !SharedOps.keeps(key)) {
            Region closed = KEYS.remove(key);
            // The memory only for the fault that goes on using it: JUnit keeps each run's classes, and these what they
            // refer to.
            CLOSED.put(key, Fault.READS_INTO_CLOSED.on() ? closed : null);
        }
    }

    /** Whether the model has a fault that is about some operations: about all, or about these alone. */
    private static boolean lax(int opcode, Fault all, Fault writes, Fault reads) {
        return all.on() || writes.on() && opcode == WrOpcode.RDMA_WRITE || reads.on() && opcode == WrOpcode.RDMA_READ;
    }

    /** The memory that a piece of a work request is, or null where it may not be used. */
    static Span local(ScatterGatherElement sge, ProtectionDomain pd, int access, int opcode) {
        Region region = KEYS.get(sge.lkey());
        if (region == null && Fault.READS_INTO_CLOSED.on() && opcode == WrOpcode.RDMA_READ) {
            region = CLOSED.get(sge.lkey());
        }
        if (region == null) {
            boolean any = lax(opcode, Fault.ANY_LOCAL_KEY, Fault.WRITES_ANY_LOCAL_KEY, Fault.READS_ANY_LOCAL_KEY);
            return any && !CLOSED.containsKey(sge.lkey()) ? Span.nothing(sge.length()) : null;
        }
        Fault readOnly = opcode == RECEIVE ? Fault.WRITES_READ_ONLY : Fault.READS_INTO_READ_ONLY;
        boolean right = (region.access & access) == access || readOnly.on();
        boolean same = Fault.PARENT_IS_FOREIGN.on()
                ? SharedOps.origin(region.pd) == SharedOps.origin(pd)
                : SharedOps.root(region.pd) == SharedOps.root(pd);
        boolean foreign = !same
                && !SharedOps.isLax(pd)
                && !lax(opcode, Fault.ANY_DOMAIN, Fault.WRITES_ANY_DOMAIN, Fault.ANY_DOMAIN);
        if (!right || foreign) {
            return null;
        }
        boolean boundless =
                lax(opcode, Fault.NO_LOCAL_BOUNDS, Fault.WRITES_NO_LOCAL_BOUNDS, Fault.READS_NO_LOCAL_BOUNDS);
        if (boundless && sge.addr() + sge.length() > region.addr + region.length) {
            return Span.nothing(sge.length());
        }
        return slice(region, sge.addr(), sge.length());
    }

    static Span slice(Region region, long addr, long length) {
        long offset = addr - region.addr;
        boolean all = region.length < 0; // a region of nothing has no end
        if (!all && (offset < 0 || length > region.length || offset > region.length - length)) {
            return null;
        }
        if (region.pieces != null) {
            return LaterMemory.across(region, offset, (int) length);
        }
        return region.memory == null
                ? Span.nothing((int) length)
                : new Span(region.memory.slice((int) (region.start + offset), (int) length));
    }

    /** The region that has an address of the model's own; null where none has. */
    static Region at(long addr) {
        for (Region region : KEYS.values()) {
            if (addr >= region.addr && addr - region.addr < region.length) {
                return region;
            }
        }
        return null;
    }

    static void attach(Gid gid, ModelQp qp) {
        GROUPS.computeIfAbsent(gid, g -> new LinkedHashSet<>()).add(qp);
    }

    /** Lets all go on that can: whatever happened may be what another has waited for. */
    static void run() {
        boolean more = true;
        while (more) {
            more = false;
            for (ModelQp qp : List.copyOf(QPS.values())) {
                more |= qp.runOnce();
            }
        }
        LOCK.notifyAll();
    }

    /** Somebody looks for completions: what waits for that goes on. */
    static void looked() {
        boolean more = true;
        while (more) {
            more = false;
            for (ModelQp qp : QPS.values()) {
                more |= qp.runOnceLooked();
            }
        }
    }
}
