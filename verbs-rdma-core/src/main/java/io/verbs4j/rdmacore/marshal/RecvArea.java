/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.RecvWrLayout;
import io.verbs4j.rdmacore.layout.SgeLayout;

/**
 * Where the receive work requests of one call become a list of {@code struct ibv_recv_wr}. Used by one thread at a time.
 *
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
     * @param capacity most requests of one call, from 1
     * @param maxSge most elements of each
     * @param longest how much of an element the device uses at most, in bytes: the driver is told no more
     */
    public RecvArea(int capacity, int maxSge, int longest) {
        this.capacity = capacity;
        this.maxSge = maxSge;
        this.longest = longest;
        this.memory =
                NativeMemory.allocate(REQUESTS + (long) capacity * (RecvWrLayout.SIZEOF + maxSge * SgeLayout.SIZEOF));
    }

    /** Most requests of one call. */
    public int capacity() {
        return capacity;
    }

    /** Where the first request is. */
    public long first() {
        return memory + REQUESTS;
    }

    /** Where the driver writes which request it refused. */
    public long badWr() {
        return memory;
    }

    /** The index of the request that the driver refused. */
    public int badIndex() {
        return (int) ((NativeMemory.getLong(memory) - first()) / RecvWrLayout.SIZEOF);
    }

    /** Writes a request at an index; false where it is none that can be posted. */
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
            int length = e.length(); // once, as what is checked must be what is posted
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

    /** Makes the request at an index the last of the list. A driver that does not tell which one it refused means the first. */
    public void end(int index) {
        NativeMemory.putLong(memory, first());
        NativeMemory.putLong(first() + (long) index * RecvWrLayout.SIZEOF + RecvWrLayout.NEXT, 0);
    }

    /** Frees the area; not to be used any more. */
    public void free() {
        NativeMemory.free(memory);
    }
}
