/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

/**
 * The registered regions whose bytes are at a {@link Place}, by local key. They are separate from those of the
 * {@link RegionTable}, which each request with inline data searches.
 */
public final class PlacedRegions {
    /** A range of addresses and the place of its bytes. */
    public static final class Placed extends KeyTable.Entry<Placed> {
        private final Object pd;
        private final long addr;
        private final long length;
        private final Place place;
        private final Pin pin;

        private Placed(int lkey, Object pd, long addr, long length, Place place, Pin pin, Placed next) {
            super(lkey, pin, next);
            this.pd = pd;
            this.addr = addr;
            this.length = length;
            this.place = place;
            this.pin = pin;
        }

        @Override
        protected Placed before(Placed other) {
            return new Placed(key(), pd, addr, length, place, pin, other);
        }

        /** {@return the pin that keeps it registered} */
        public Pin pin() {
            return pin;
        }

        /** {@return the address at which this process can read a byte of the region, or 0 if it cannot} */
        public long address(long at) {
            return place.address(at - addr);
        }

        /** As in {@link RegionTable.Region}. */
        private boolean covers(Object domain, long from, long count) {
            long offset = from - addr;
            return (pd == domain || domain == RegionTable.ANY_DOMAIN)
                    && Long.compareUnsigned(offset, length) <= 0
                    && Long.compareUnsigned(count, length - offset) <= 0;
        }
    }

    private final KeyTable<Placed> table = new KeyTable<>();

    /** Creates an empty table. */
    PlacedRegions() {}

    /** As {@link RegionTable#find}; null if there is none. */
    public Placed find(int lkey, Object pd, long addr, long length) {
        Placed p = table.find(lkey);
        while (p != null && !(p.covers(pd, addr, length) && p.pin.isOpen())) {
            p = p.nextOfKey();
        }
        return p;
    }

    /**
     * {@return the address at which this process can read a range; 0 if no region of that key and domain contains it,
     * or if it cannot be read}
     */
    public long address(int lkey, Object pd, long addr, long length) {
        Placed p = find(lkey, pd, addr, length);
        return p == null ? 0 : p.address(addr);
    }

    /** Copies bytes to a region; returns false if none of that key contains the range or it is not writable. */
    public boolean put(int lkey, long addr, long from, int length) {
        Placed p = find(lkey, RegionTable.ANY_DOMAIN, addr, length);
        return p != null && p.place.put(addr - p.addr, from, length);
    }

    /** {@return whether the table contains a region} */
    public boolean has(int lkey, Pin pin) {
        return of(lkey, pin) != null;
    }

    boolean knows(int lkey) {
        return table.find(lkey) != null;
    }

    private Placed of(int lkey, Pin pin) {
        Placed p = table.find(lkey);
        while (p != null && p.pin != pin) {
            p = p.nextOfKey();
        }
        return p;
    }

    /** Adds a region. */
    public void add(int lkey, Object pd, long addr, long length, Place place, Pin pin) {
        table.add(new Placed(lkey, pd, addr, length, place, pin, null));
    }

    /** Removes the region that was added with a pin and closes its place; the region must have no users. */
    void remove(int lkey, Pin pin) {
        Placed p = of(lkey, pin);
        if (p != null) {
            table.remove(lkey, pin);
            p.place.close();
        }
    }
}
