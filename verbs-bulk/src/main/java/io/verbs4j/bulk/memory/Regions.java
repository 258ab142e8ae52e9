/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import io.verbs4j.MemoryRegion;
import io.verbs4j.VerbsException;
import java.util.Arrays;

/**
 * Regions of the same memory, one for each device of an endpoint. A lost device has none; addresses and keys are then
 * 0. Any thread may change them; readers know that their device is not lost.
 */
final class Regions {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private volatile MemoryRegion[] regions;
    private boolean closed;

    /** Creates regions by the endpoint's device indices; null for a lost device. */
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

    /** Drops the region of a lost device, even if closing it fails. */
    synchronized void lose(int device) {
        MemoryRegion region = of(device);
        if (region == null) {
            return;
        }
        set(device, null);
        try {
            region.close();
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing a region of a lost device failed", e);
        }
    }

    /** Sets the region of another device. Returns false if all regions are closed, and ignores the region then. */
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

    /** Deregisters the memory from all devices, even if one of them fails. */
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
