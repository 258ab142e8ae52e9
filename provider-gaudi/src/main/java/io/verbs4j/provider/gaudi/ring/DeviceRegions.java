/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.rdmacore.memory.KeyTable;
import io.verbs4j.rdmacore.memory.Pin;

/**
 * Registered memory by its local key, and the device's addresses for it: the device knows no others, and has no keys for memory. A program
 * may name a byte by either; no range of one kind meets one of the other. Looking up takes no lock and allocates nothing.
 */
public final class DeviceRegions {
    /** What a range that is not registered has for an address: the device gives none that is 0. */
    static final long NOWHERE = 0;

    /** A range of memory that the device has mapped; its pin is its owner. */
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

        /** The device's address for a range; {@link #NOWHERE} where it is not in here. */
        private long translate(Object domain, long from, long count) {
            if (pd != domain || !pin.isOpen()) {
                return NOWHERE;
            }
            return isIn(addr, from, count)
                    ? deviceAddr + (from - addr)
                    : isIn(deviceAddr, from, count) ? from : NOWHERE;
        }

        private boolean isIn(long start, long from, long count) {
            long offset = from - start; // a difference: the sum of address and length may wrap
            return Long.compareUnsigned(offset, length) <= 0 && Long.compareUnsigned(count, length - offset) <= 0;
        }
    }

    private final KeyTable<Region> table = new KeyTable<>();

    /** Empty. */
    public DeviceRegions() {}

    /**
     * Adds a region.
     *
     * @param pd domain that it is of
     * @param addr of its first byte, in this process
     * @param deviceAddr what the device calls that byte
     * @param pin what keeps it registered
     */
    public void add(int lkey, Object pd, long addr, long length, long deviceAddr, Pin pin) {
        table.add(new Region(lkey, pd, addr, length, deviceAddr, pin, null));
    }

    /** Removes the region that was added with a pin. */
    public void remove(int lkey, Pin pin) {
        table.remove(lkey, pin);
    }

    /**
     * The device's address for a range. Who asks holds a lock that deregistration waits for.
     *
     * @return {@link #NOWHERE} where no region of that key and domain holds the range
     */
    long translate(int lkey, Object pd, long addr, long count) {
        long there = NOWHERE;
        for (Region r = table.find(lkey); r != null && there == NOWHERE; r = r.nextOfKey()) {
            there = r.translate(pd, addr, count);
        }
        return there;
    }
}
