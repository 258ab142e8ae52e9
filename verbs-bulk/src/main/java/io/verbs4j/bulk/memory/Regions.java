/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import io.verbs4j.MemoryRegion;
import io.verbs4j.VerbsException;
import java.util.Arrays;

/**
 * Regions over the same memory: one for each device of an endpoint, none for a device that is lost, of which addresses
 * and keys are 0. Any thread may change them; those who read know that their device is there.
 */
final class Regions {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private volatile MemoryRegion[] regions;
    private boolean closed;

    /** Regions by the indices of the endpoint's devices, with null for a device that is lost. */
    Regions(MemoryRegion... regions) {
        this.regions = regions;
    }

    private MemoryRegion of(int device) {
        MemoryRegion[] all = regions;
        return device < all.length ? all[device] : null;
    }

    long address(int device) {
        MemoryRegion region = of(device);
        return region == null ? 0 : region.addr();
    }

    int lkey(int device) {
        MemoryRegion region = of(device);
        return region == null ? 0 : region.lkey();
    }

    int rkey(int device) {
        MemoryRegion region = of(device);
        return region == null ? 0 : region.rkey();
    }

    /** The device is lost: nothing reaches the memory by it, whatever it says. */
    synchronized void lose(int device) {
        MemoryRegion region = of(device);
        if (region == null) {
            return;
        }
        set(device, null);
        try {
            region.close();
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "a region of a lost device was not closed", e);
        }
    }

    /** Another device has come. Returns whether the region is used; otherwise all are closed. */
    synchronized boolean renew(int device, MemoryRegion region) {
        if (!closed) {
            set(device, region);
        }
        return !closed;
    }

    private void set(int device, MemoryRegion region) {
        MemoryRegion[] copy = Arrays.copyOf(regions, Math.max(regions.length, device + 1));
        copy[device] = region;
        regions = copy;
    }

    /** Takes the memory from all devices, also where one of them refuses. */
    synchronized void close() {
        closed = true;
        VerbsException failure = null;
        for (MemoryRegion region : regions) {
            try {
                if (region != null) {
                    region.close();
                }
            } catch (VerbsException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
