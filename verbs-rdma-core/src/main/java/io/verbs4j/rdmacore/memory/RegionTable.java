/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

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

    /** A range of memory that is registered; its pin is its owner. */
    public static final class Region extends KeyTable.Entry<Region> {
        /** No longer registered: it holds nothing. */
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

        /** Whether it is at least so long, as far as numbers with a sign tell, for {@link #holds}. */
        public boolean isAsLongAs(int count) {
            return length >= count;
        }

        /**
         * Whether it is of a key, holds a range, and is still registered: quicker than {@link RegionTable#find}, which has given it,
         * and is to be asked where this says no. For those who hold something that deregistration waits for.
         *
         * @param count from 0 to what {@link #isAsLongAs} has said yes to
         */
        public boolean holds(int lkey, long from, int count) {
            long offset = from - addr;
            long most = length - count;
            return key() == lkey && (offset | most - offset | pin.sign()) >= 0; // one test: the signs of all
        }

        private boolean covers(Object domain, long from, long count) {
            long offset = from - addr; // a difference: the sum of address and length may wrap
            return (pd == domain || domain == ANY_DOMAIN)
                    && Long.compareUnsigned(offset, length) <= 0
                    && Long.compareUnsigned(count, length - offset) <= 0;
        }
    }

    private final KeyTable<Region> table = new KeyTable<>();
    private final PlacedRegions placed = new PlacedRegions();

    /** Empty. */
    public RegionTable() {}

    /**
     * Finds the region that holds a range, and pins it.
     *
     * @param pd domain that it must be of; {@link #ANY_DOMAIN} where the device has looked at that already
     * @return the pin, to be left, or null where no region of that key and domain holds the range
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
     * As {@link #enter}, without pinning it: for those who hold something that deregistration waits for otherwise.
     *
     * @return the region of that key and domain that holds the range, or null
     */
    public Region find(int lkey, Object pd, long addr, long length) {
        Region r = table.find(lkey);
        while (r != null && !(r.covers(pd, addr, length) && r.pin.isOpen())) {
            r = r.nextOfKey();
        }
        return r;
    }

    /** Whether there is one to {@link #find}. */
    public boolean covers(int lkey, Object pd, long addr, long length) {
        return find(lkey, pd, addr, length) != null;
    }

    /** The regions that are not here, because their addresses are not those of their memory. */
    public PlacedRegions placed() {
        return placed;
    }

    /** Whether a region of either kind has a key. */
    public boolean knows(int lkey) {
        return table.find(lkey) != null || placed.knows(lkey);
    }

    /** Adds a region. */
    public void add(int lkey, Object pd, long addr, long length, Pin pin) {
        table.add(new Region(lkey, pd, addr, length, pin, null));
    }

    /** Removes the region that was added with a pin, of either kind. */
    public void remove(int lkey, Pin pin) {
        table.remove(lkey, pin);
        placed.remove(lkey, pin);
    }
}
