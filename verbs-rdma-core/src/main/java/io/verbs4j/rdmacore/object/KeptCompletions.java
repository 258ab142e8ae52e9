/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.layout.WcLayout;
import io.verbs4j.rdmacore.marshal.Completions;
import io.verbs4j.rdmacore.memory.NativeMemory;

/**
 * Completions that were taken from the driver and not by the program yet, as {@code struct ibv_wc}. Used by one thread at a
 * time.
 */
final class KeptCompletions {
    private long memory;
    private int capacity;
    private int from;
    private int to;

    /** Keeps those of a list that are not of a queue pair. */
    void add(long list, int count, int exceptQpNum) {
        for (long wc = list; wc < list + (long) count * WcLayout.SIZEOF; wc += WcLayout.SIZEOF) {
            if (NativeMemory.getInt(wc + WcLayout.QP_NUM) != exceptQpNum) {
                require(to + 1);
                copy(wc, at(to++));
            }
        }
    }

    /** Lets go of those of a queue pair. */
    void remove(int qpNum) {
        int end = to;
        to = from;
        for (int i = from; i < end; i++) {
            if (NativeMemory.getInt(at(i) + WcLayout.QP_NUM) != qpNum) {
                copy(at(i), at(to++));
            }
        }
    }

    /** Gives the oldest ones to the program; how many. */
    int take(WorkCompletion[] wc, int most) {
        int n = 0;
        while (n < most && from < to) {
            Completions.read(at(from++), wc[n++]);
        }
        if (from == to) {
            free();
        }
        return n;
    }

    /** Frees the memory; it is then empty. */
    void free() {
        NativeMemory.free(memory);
        memory = 0;
        capacity = 0;
        from = 0;
        to = 0;
    }

    private long at(int index) {
        return memory + (long) index * WcLayout.SIZEOF;
    }

    private void require(int count) {
        if (count > capacity) {
            int larger = Math.max(64, capacity * 2);
            long next = NativeMemory.allocate((long) larger * WcLayout.SIZEOF);
            for (int i = from; i < to; i++) {
                copy(at(i), next + (long) i * WcLayout.SIZEOF);
            }
            NativeMemory.free(memory);
            memory = next;
            capacity = larger;
        }
    }

    private static void copy(long source, long target) {
        for (int i = 0; i < WcLayout.SIZEOF; i += Long.BYTES) {
            NativeMemory.putLong(target + i, NativeMemory.getLong(source + i));
        }
    }
}
