/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/**
 * The pieces of memory that one key stands for, in order. Changes only while no thread can touch memory through the
 * key.
 */
final class Pieces {
    private final long[] start;

    /** Offset of the end of each piece, from the first byte of all. */
    private final long[] end;

    private int count;

    Pieces(int capacity) {
        start = new long[capacity];
        end = new long[capacity];
    }

    void clear() {
        count = 0;
    }

    void add(long address, long length) {
        start[count] = address;
        end[count] = total() + length;
        count++;
    }

    long total() {
        return count == 0 ? 0 : end[count - 1];
    }

    /** Finds the piece that contains a byte. */
    private int find(long offset) {
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (offset < end[middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Returns the address of a byte. */
    long at(long offset) {
        int i = find(offset);
        return start[i] + offset - (i == 0 ? 0 : end[i - 1]);
    }

    /** Returns how many bytes from {@code offset} on are in the same piece, at most {@code most}. */
    long run(long offset, long most) {
        return Math.min(most, end[find(offset)] - offset);
    }
}
