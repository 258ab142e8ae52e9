/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.lanes;

import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/** A ring of 64-byte places in memory that lanes and the device share; zeroed. */
final class LaneMemory {
    private static final int PLACE = 64;

    private final ByteBuffer buffer;
    private final long address;
    private final int places;

    /**
     * Allocates a ring.
     *
     * @param atLeast number of places, which is rounded up to a power of 2
     */
    LaneMemory(int atLeast) {
        places = Math.max(1, Integer.highestOneBit(2 * atLeast - 1));
        buffer = ByteBuffer.allocateDirect((places + 1) * PLACE).alignedSlice(PLACE);
        address = NativeMemory.address(buffer);
    }

    long address() {
        return address;
    }

    int places() {
        return places;
    }

    /** Returns the address of the place with an index. */
    long place(long index) {
        return address + (index & places - 1) * PLACE;
    }
}
