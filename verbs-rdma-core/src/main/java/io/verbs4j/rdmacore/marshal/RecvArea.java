/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.RecvWrLayout;
import io.verbs4j.rdmacore.layout.SgeLayout;

/**
 * The memory in which the receive work requests of one call become a list of {@code struct ibv_recv_wr}. Used by one
 * thread at a time.
 * <pre>
 * 0                   bad_wr, which the driver writes
 * 16                  capacity work requests of 32 bytes, linked by their next pointers
 * 16 + capacity * 32  capacity times maxSge elements of 16 bytes
 * </pre>
 */
public final class RecvArea {
    private static final int REQUESTS = 16;

    private final long memory;
    private final int capacity;
    private final int maxSge;
    private final int longest;

    /**
     * Allocates an area.
     *
     * @param capacity most requests of one call, at least 1
     * @param maxSge most elements of each request
     * @param longest most bytes of an element that the device uses; longer elements are passed with this length
     */
    public RecvArea(int capacity, int maxSge, int longest) {
        this.capacity = capacity;
        this.maxSge = maxSge;
        this.longest = longest;
        this.memory =
                NativeMemory.allocate(REQUESTS + (long) capacity * (RecvWrLayout.SIZEOF + maxSge * SgeLayout.SIZEOF));
    }

    /** {@return the maximum number of requests in one call} */
    public int capacity() {
        return capacity;
    }

    /** {@return the address of the first request} */
    public long first() {
        return memory + REQUESTS;
    }

    /** {@return the address at which the driver stores a refused request} */
    public long badWr() {
        return memory;
    }

    /** {@return the index of the refused request} */
    public int badIndex() {
        return (int) ((NativeMemory.getLong(memory) - first()) / RecvWrLayout.SIZEOF);
    }

    /** Writes the request at an index; returns false if it is invalid. */
    public boolean put(int index, RecvWorkRequest wr) {
        long at = NativeMemory.piece(first() + (long) index * RecvWrLayout.SIZEOF);
        int count = wr.numSge();
        ScatterGatherElement[] list = wr.sgList();
        if (!SgeArea.fits(list, count, maxSge)) {
            return false;
        }
        long sges = first() + (long) capacity * RecvWrLayout.SIZEOF + (long) index * maxSge * SgeLayout.SIZEOF;
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            if (e == null) {
                return false;
            }
            int length = e.length(); // read once: what is checked must be what is posted
            if (length < 0) {
                return false;
            }
            SgeArea.put(sges + (long) i * SgeLayout.SIZEOF, e.addr(), Math.min(length, longest), e.lkey());
        }
        NativeMemory.putLong(at + RecvWrLayout.WR_ID, wr.wrId());
        NativeMemory.putLong(at + RecvWrLayout.NEXT, at + RecvWrLayout.SIZEOF);
        NativeMemory.putLong(at + RecvWrLayout.SG_LIST, sges);
        NativeMemory.putInt(at + RecvWrLayout.NUM_SGE, count);
        return true;
    }

    /**
     * Ends the list with the request at an index. If the driver does not report which one it refused, it is the first.
     */
    public void end(int index) {
        NativeMemory.putLong(memory, first());
        NativeMemory.putLong(first() + (long) index * RecvWrLayout.SIZEOF + RecvWrLayout.NEXT, 0);
    }

    /** Frees the area, which must not be used afterwards. */
    public void free() {
        NativeMemory.free(memory);
    }
}
