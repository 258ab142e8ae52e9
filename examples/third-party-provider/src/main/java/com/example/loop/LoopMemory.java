/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loop;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Registered memory. The addresses are the device's own: nobody reads them but this class. */
final class LoopMemory {
    private static final Map<Integer, Region> REGIONS = new ConcurrentHashMap<>();
    private static final AtomicInteger KEYS = new AtomicInteger(0x100);

    private LoopMemory() {}

    private static final class Region extends MemoryRegion {
        private final ByteBuffer memory;

        Region(ProtectionDomain pd, ByteBuffer memory, int access, int key) {
            super(pd, (long) key << 32, memory.capacity(), access, key, key);
            this.memory = memory;
        }
    }

    static MemoryRegion register(ProtectionDomain pd, ByteBuffer buffer, int access) {
        Region region = new Region(pd, buffer.slice(), access, KEYS.incrementAndGet());
        REGIONS.put(region.lkey(), region);
        return region;
    }

    static void forget(MemoryRegion region) {
        REGIONS.remove(region.lkey());
    }

    /** Memory behind a key, or null where it may not be used like that. Never more than was registered. */
    static ByteBuffer find(int key, ProtectionDomain pd, long addr, long length, int access) {
        Region region = REGIONS.get(key);
        if (region == null || region.pd() != pd || (region.access() & access) != access) {
            return null;
        }
        long offset = addr - region.addr();
        // In this order nothing overflows.
        if (offset < 0 || length < 0 || length > region.length() || offset > region.length() - length) {
            return null;
        }
        return region.memory.slice((int) offset, (int) length);
    }
}
