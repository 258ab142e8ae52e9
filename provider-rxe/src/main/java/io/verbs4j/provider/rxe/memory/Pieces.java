/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/** Pieces of memory that one key stands for, one after the other. Changes only while nobody can touch memory through that key. */
final class Pieces {
    private final long[] start;

    /** Where the piece after each begins, counted from the first byte of all. */
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

    /** The piece that a byte is in. */
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

    /** The address of a byte. */
    long at(long offset) {
        int i = find(offset);
        return start[i] + offset - (i == 0 ? 0 : end[i - 1]);
    }

    /** How many bytes of the same piece there are from one on, at most so many. */
    long run(long offset, long most) {
        return Math.min(most, end[find(offset)] - offset);
    }
}
