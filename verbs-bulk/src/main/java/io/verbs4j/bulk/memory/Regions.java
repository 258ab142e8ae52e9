/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import io.verbs4j.MemoryRegion;
import io.verbs4j.VerbsException;

/** Regions over the same memory: one for each device of an endpoint, none for a device that is lost. */
final class Regions {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private final MemoryRegion[] regions;
    private boolean closed;

    /** Regions in the order of the endpoint's devices, with null for a device that is lost. */
    Regions(MemoryRegion... regions) {
        this.regions = regions;
    }

    /** The region of a device that is not lost. */
    MemoryRegion of(int device) {
        return regions[device];
    }

    /** The device is lost: nothing reaches the memory by it, whatever it says. */
    synchronized void lose(int device) {
        MemoryRegion region = regions[device];
        regions[device] = null;
        if (region != null) {
            try {
                region.close();
            } catch (VerbsException e) {
                LOG.log(System.Logger.Level.DEBUG, "a region of a lost device was not closed", e);
            }
        }
    }

    /** Another device takes a lost one's place. Returns whether the region is used; otherwise all are closed. */
    synchronized boolean renew(int device, MemoryRegion region) {
        if (!closed) {
            regions[device] = region;
        }
        return !closed;
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
