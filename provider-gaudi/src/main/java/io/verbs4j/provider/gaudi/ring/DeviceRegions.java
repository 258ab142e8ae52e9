/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.rdmacore.memory.KeyTable;
import io.verbs4j.rdmacore.memory.Pin;

/**
 * Registered memory by local key, with its device addresses: the device knows no other addresses, and has no keys for
 * memory. A program may use either address of a byte, as the ranges of the two kinds never overlap. Lookup takes no
 * lock and allocates nothing.
 */
public final class DeviceRegions {
    /** Result for a range that is not registered; no device address is 0. */
    static final long NOWHERE = 0;

    /** A range of memory that the device has mapped, owned by its pin. */
    private static final class Region extends KeyTable.Entry<Region> {
        private final Object pd;
        private final long addr;
        private final long length;
        private final long deviceAddr;
        private final Pin pin;

        private Region(int lkey, Object pd, long addr, long length, long deviceAddr, Pin pin, Region next) {
            super(lkey, pin, next);
            this.pd = pd;
            this.addr = addr;
            this.length = length;
            this.deviceAddr = deviceAddr;
            this.pin = pin;
        }

        @Override
        protected Region before(Region other) {
            return new Region(key(), pd, addr, length, deviceAddr, pin, other);
        }

        /** Returns the device address of a range; {@link #NOWHERE} if the region does not contain it. */
        private long translate(Object domain, long from, long count) {
            if (pd != domain || !pin.isOpen()) {
                return NOWHERE;
            }
            return isIn(addr, from, count)
                    ? deviceAddr + (from - addr)
                    : isIn(deviceAddr, from, count) ? from : NOWHERE;
        }

        private boolean isIn(long start, long from, long count) {
            long offset = from - start; // a difference, as the sum of address and length may wrap
            return Long.compareUnsigned(offset, length) <= 0 && Long.compareUnsigned(count, length - offset) <= 0;
        }
    }

    private final KeyTable<Region> table = new KeyTable<>();

    /** Creates an empty table. */
    public DeviceRegions() {}

    /**
     * Adds a region.
     *
     * @param pd the region's protection domain
     * @param addr address of its first byte in this process
     * @param deviceAddr device address of that byte
     * @param pin keeps the region registered
     */
    public void add(int lkey, Object pd, long addr, long length, long deviceAddr, Pin pin) {
        table.add(new Region(lkey, pd, addr, length, deviceAddr, pin, null));
    }

    /** Removes the region that was added with a pin. */
    public void remove(int lkey, Pin pin) {
        table.remove(lkey, pin);
    }

    /**
     * Returns the device address of a range. The caller must hold a lock that deregistration waits for.
     *
     * @return {@link #NOWHERE} if no region of that key and domain contains the range
     */
    long translate(int lkey, Object pd, long addr, long count) {
        long there = NOWHERE;
        for (Region r = table.find(lkey); r != null && there == NOWHERE; r = r.nextOfKey()) {
            there = r.translate(pd, addr, count);
        }
        return there;
    }
}
