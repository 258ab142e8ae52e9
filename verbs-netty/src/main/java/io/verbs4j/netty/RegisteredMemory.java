/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import java.util.Arrays;
import java.util.Comparator;

/**
 * All registered chunks of a device, by address, to find out whether memory can be sent without a copy. May be used by
 * any thread.
 */
final class RegisteredMemory {
    private static final Chunk[] NONE = {};

    /** Sorted by address; replaced, never modified. */
    private volatile Chunk[] chunks = NONE;

    synchronized void add(Chunk chunk) {
        Chunk[] more = Arrays.copyOf(chunks, chunks.length + 1);
        more[chunks.length] = chunk;
        Arrays.sort(more, Comparator.comparingLong(Chunk::address));
        chunks = more;
    }

    synchronized void remove(Chunk chunk) {
        chunks = Arrays.stream(chunks).filter(other -> other != chunk).toArray(Chunk[]::new);
    }

    /** Returns the chunk that contains all of these bytes, or null. */
    Chunk find(long address, int length) {
        Chunk[] all = chunks;
        int low = 0;
        int high = all.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Chunk chunk = all[middle];
            if (address < chunk.address()) {
                high = middle - 1;
            } else if (address >= chunk.address() + chunk.size()) {
                low = middle + 1;
            } else {
                return address + length <= chunk.address() + chunk.size() ? chunk : null;
            }
        }
        return null;
    }
}
