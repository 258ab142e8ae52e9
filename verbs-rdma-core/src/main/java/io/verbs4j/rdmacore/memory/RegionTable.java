/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Registered memory by its local key. Looking up takes no lock and allocates nothing, as a post with inline data does it for
 * each element.
 *
 * <p>libibverbs copies inline data from any address it is given, and a wrong one ends the process. A JVM must not end that
 * way, so inline data has to lie in memory that is registered, and stays so while it is copied.
 */
public final class RegionTable {
    /** Stands for every domain. */
    public static final Object ANY_DOMAIN = new Object();

    /** A range of memory that is registered. */
    public static final class Region {
        private final int lkey;
        private final Object pd;
        private final long addr;
        private final long length;
        private final Region next;
        private final Pin pin;

        private Region(int lkey, Object pd, long addr, long length, Pin pin, Region next) {
            this.lkey = lkey;
            this.pd = pd;
            this.addr = addr;
            this.length = length;
            this.pin = pin;
            this.next = next;
        }

        private Region before(Region other) {
            return new Region(lkey, pd, addr, length, pin, other);
        }

        private boolean covers(Object domain, long from, long count) {
            long offset = from - addr; // a difference: the sum of address and length may wrap
            return (pd == domain || domain == ANY_DOMAIN)
                    && Long.compareUnsigned(offset, length) <= 0
                    && Long.compareUnsigned(count, length - offset) <= 0;
        }
    }

    private volatile AtomicReferenceArray<Region> buckets = new AtomicReferenceArray<>(64);
    private int size;

    /** Empty. */
    public RegionTable() {}

    /**
     * Finds the region that holds a range, and pins it.
     *
     * @param pd domain that it must be of; {@link #ANY_DOMAIN} where the device has looked at that already
     * @return the pin, to be left, or null where no region of that key and domain holds the range
     */
    public Pin enter(int lkey, Object pd, long addr, long length) {
        AtomicReferenceArray<Region> b = buckets;
        for (Region r = b.get(index(b, lkey)); r != null; r = r.next) {
            if (r.lkey == lkey && r.covers(pd, addr, length) && r.pin.enter()) {
                return r.pin;
            }
        }
        return null;
    }

    /**
     * As {@link #enter}, without pinning it: for those who hold something that deregistration waits for otherwise.
     *
     * @return whether a region of that key and domain holds the range
     */
    public boolean covers(int lkey, Object pd, long addr, long length) {
        AtomicReferenceArray<Region> b = buckets;
        for (Region r = b.get(index(b, lkey)); r != null; r = r.next) {
            if (r.lkey == lkey && r.covers(pd, addr, length) && r.pin.isOpen()) {
                return true;
            }
        }
        return false;
    }

    /** Adds a region. */
    public synchronized void add(int lkey, Object pd, long addr, long length, Pin pin) {
        if (++size > buckets.length()) {
            AtomicReferenceArray<Region> larger = new AtomicReferenceArray<>(buckets.length() * 4);
            for (int i = 0; i < buckets.length(); i++) {
                for (Region r = buckets.get(i); r != null; r = r.next) {
                    int at = index(larger, r.lkey);
                    larger.set(at, r.before(larger.get(at)));
                }
            }
            buckets = larger;
        }
        int at = index(buckets, lkey);
        buckets.set(at, new Region(lkey, pd, addr, length, pin, buckets.get(at)));
    }

    /** Removes the region that was added with a pin. */
    public synchronized void remove(int lkey, Pin pin) {
        int at = index(buckets, lkey);
        Region kept = null;
        for (Region r = buckets.get(at); r != null; r = r.next) {
            if (r.pin == pin) {
                size--;
            } else {
                kept = r.before(kept);
            }
        }
        buckets.set(at, kept);
    }

    private static int index(AtomicReferenceArray<Region> b, int lkey) {
        int h = lkey * 0x9e3779b9;
        return (h ^ h >>> 16) & b.length() - 1;
    }
}
