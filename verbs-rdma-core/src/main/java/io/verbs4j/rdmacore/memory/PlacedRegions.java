/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

/**
 * The registered regions whose bytes are at a {@link Place}, by local key. Apart from those of the {@link RegionTable}, which are
 * looked at for each request with inline data.
 */
public final class PlacedRegions {
    /** A range of addresses, and where its bytes are. */
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

        /** What keeps it registered. */
        public Pin pin() {
            return pin;
        }

        /** Where in this process the byte at an address of the region can be read; 0 where it can't. */
        public long address(long at) {
            return place.address(at - addr);
        }

        /** As {@link RegionTable.Region}. */
        private boolean covers(Object domain, long from, long count) {
            long offset = from - addr;
            return (pd == domain || domain == RegionTable.ANY_DOMAIN)
                    && Long.compareUnsigned(offset, length) <= 0
                    && Long.compareUnsigned(count, length - offset) <= 0;
        }
    }

    private final KeyTable<Placed> table = new KeyTable<>();

    /** Empty. */
    PlacedRegions() {}

    /** As {@link RegionTable#find}; null where there is none. */
    public Placed find(int lkey, Object pd, long addr, long length) {
        Placed p = table.find(lkey);
        while (p != null && !(p.covers(pd, addr, length) && p.pin.isOpen())) {
            p = p.nextOfKey();
        }
        return p;
    }

    /** Where in this process a range can be read; 0 where there is none of that key and domain, or it can't be read so. */
    public long address(int lkey, Object pd, long addr, long length) {
        Placed p = find(lkey, pd, addr, length);
        return p == null ? 0 : p.address(addr);
    }

    /** Copies bytes to a region of that key; false where there is none that holds the range, or they can't be written. */
    public boolean put(int lkey, long addr, long from, int length) {
        Placed p = find(lkey, RegionTable.ANY_DOMAIN, addr, length);
        return p != null && p.place.put(addr - p.addr, from, length);
    }

    /** Whether a region is one of these. */
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

    /** Removes the region that was added with a pin, and closes its place; nobody uses it any more. */
    void remove(int lkey, Pin pin) {
        Placed p = of(lkey, pin);
        if (p != null) {
            table.remove(lkey, pin);
            p.place.close();
        }
    }
}
