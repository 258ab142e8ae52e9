/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

/**
 * Registered memory by local key. Lookups take no lock and allocate nothing, because a post with inline data makes one
 * for each element.
 *
 * <p>libibverbs copies inline data from any address it gets, and a wrong address ends the process. A JVM must not end
 * that way, so inline data must lie in registered memory, which must stay registered while it is copied.
 */
public final class RegionTable {
    /** Stands for every domain. */
    public static final Object ANY_DOMAIN = new Object();

    /** A range of registered memory; its pin is its owner. */
    public static final class Region extends KeyTable.Entry<Region> {
        /** A region that is no longer registered and contains nothing. */
        public static final Region NONE = none();

        private final Object pd;
        private final long addr;
        private final long length;
        private final Pin pin;

        private Region(int lkey, Object pd, long addr, long length, Pin pin, Region next) {
            super(lkey, pin, next);
            this.pd = pd;
            this.addr = addr;
            this.length = length;
            this.pin = pin;
        }

        private static Region none() {
            Pin closed = new Pin();
            closed.close();
            return new Region(0, null, 0, 0, closed, null);
        }

        @Override
        protected Region before(Region other) {
            return new Region(key(), pd, addr, length, pin, other);
        }

        /** {@return whether the region has at least that length as a signed number, for {@link #holds}} */
        public boolean isAsLongAs(int count) {
            return length >= count;
        }

        /**
         * Returns whether the region has a key, contains a range and is still registered. Faster than
         * {@link RegionTable#find}, which returned the region; call that if this returns false. For callers that hold
         * something that deregistration waits for.
         *
         * @param count from 0 to a number for which {@link #isAsLongAs} returned true
         */
        public boolean holds(int lkey, long from, int count) {
            long offset = from - addr;
            long most = length - count;
            return key() == lkey && (offset | most - offset | pin.sign()) >= 0; // tests all signs at once
        }

        private boolean covers(Object domain, long from, long count) {
            long offset = from - addr; // a difference, because address plus length may wrap
            return (pd == domain || domain == ANY_DOMAIN)
                    && Long.compareUnsigned(offset, length) <= 0
                    && Long.compareUnsigned(count, length - offset) <= 0;
        }
    }

    private final KeyTable<Region> table = new KeyTable<>();
    private final PlacedRegions placed = new PlacedRegions();

    /** Creates an empty table. */
    public RegionTable() {}

    /**
     * Finds the region that contains a range, and pins it.
     *
     * @param pd domain of the region; {@link #ANY_DOMAIN} if the device has checked it
     * @return the pin, which the caller must leave; null if no region of that key and domain contains the range
     */
    public Pin enter(int lkey, Object pd, long addr, long length) {
        for (Region r = table.find(lkey); r != null; r = r.nextOfKey()) {
            if (r.covers(pd, addr, length) && r.pin.enter()) {
                return r.pin;
            }
        }
        return null;
    }

    /**
     * As {@link #enter}, without pinning, for callers that hold something else that deregistration waits for.
     *
     * @return the region of that key and domain that contains the range, or null
     */
    public Region find(int lkey, Object pd, long addr, long length) {
        Region r = table.find(lkey);
        while (r != null && !(r.covers(pd, addr, length) && r.pin.isOpen())) {
            r = r.nextOfKey();
        }
        return r;
    }

    /** {@return whether {@link #find} finds a region} */
    public boolean covers(int lkey, Object pd, long addr, long length) {
        return find(lkey, pd, addr, length) != null;
    }

    /** {@return the regions whose addresses are not those of their memory} */
    public PlacedRegions placed() {
        return placed;
    }

    /** {@return whether a region of either kind has a key} */
    public boolean knows(int lkey) {
        return table.find(lkey) != null || placed.knows(lkey);
    }

    /** Adds a region. */
    public void add(int lkey, Object pd, long addr, long length, Pin pin) {
        table.add(new Region(lkey, pd, addr, length, pin, null));
    }

    /** Removes the region of either kind that was added with a pin. */
    public void remove(int lkey, Pin pin) {
        table.remove(lkey, pin);
        placed.remove(lkey, pin);
    }
}
