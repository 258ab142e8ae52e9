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

/** What all contexts share: numbers, keys and memory. One lock guards everything. */
final class Fabric {
    static final Gid GID = Gid.of(0xfe80_0000_0000_0000L, 0x0000_0000_0000_4d01L);
    static final int MTU = 1024;

    /** Guards this class and all objects of the model. */
    static final Object LOCK = new Object();

    static final Map<Integer, ModelQp> QPS = new TreeMap<>();
    static final Map<Integer, ModelSrq> SRQS = new TreeMap<>();
    static final Map<Integer, Region> KEYS = new HashMap<>();
    static final Map<Path, Object> DOMAINS = new HashMap<>();
    static final Map<Gid, Set<ModelQp>> GROUPS = new HashMap<>();
    static final List<ModelOps> OPEN = new java.util.ArrayList<>();
    private static final Map<Integer, Region> CLOSED = new HashMap<>();
    /** The only remote key of a device that has one key for all regions. */
    static final int CONNECTION_KEY = 0x77;
    /** Stands for a receive in place of an operation. */
    static final int RECEIVE = -1;

    /** The clock has few bits, so that it wraps soon. */
    static final long CLOCK_MASK = 0xff;

    private static long clock = 0xf0;
    private static int numbers = 100;
    private static int keys = 0x1000;
    private static long addresses = 1L << 40;

    private Fabric() {}

    /** Returns the time, and advances the clock. */
    static long now() {
        clock = clock + 1 & CLOCK_MASK;
        return clock;
    }

    static int number() {
        return ++numbers;
    }

    /**
     * The memory of a key: a region, or the part of one that a window is bound to. It starts {@code start} bytes into
     * the memory; if there are pieces, they replace the memory.
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

        /** Creates a region with an address other than its memory's; the memory is null for a region of nothing. */
        Region(ProtectionDomain pd, ByteBuffer memory, long addr, long length, int access, long start) {
            this(pd, memory, addr, length, access, start, null);
        }

        /** Creates a region of pieces of other regions, in order. */
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
        /** The queue pair and the key of a bound window of type 2. */
        ModelQp on;

        int key;

        Mw(ProtectionDomain pd, int type, int rkey) {
            super(pd, type, rkey);
            key = rkey;
        }

        /** Sets the key that programs see. */
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
            // Keeps the memory only for the fault that still uses it: JUnit keeps the classes of each run, and
            // everything that they refer to.
            CLOSED.put(key, Fault.READS_INTO_CLOSED.on() ? closed : null);
        }
    }

    /** Whether the model has a fault for all operations, or for this one. */
    private static boolean lax(int opcode, Fault all, Fault writes, Fault reads) {
        return all.on() || writes.on() && opcode == WrOpcode.RDMA_WRITE || reads.on() && opcode == WrOpcode.RDMA_READ;
    }

    /** {@return the memory of a work request's element, or null if it may not be used} */
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

    /** {@return the region that contains one of the model's own addresses; null if there is none} */
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

    /** Lets everything proceed that can: any change may be what another request waits for. */
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

    /** Called when a program polls for completions: lets everything proceed that waits for that. */
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
