/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

/**
 * What the last atomic operations found: one that comes again is answered again, but not executed. There are as many as a
 * peer may have under way.
 */
final class AtomicReplays {
    private static final int CAPACITY = 128; // RxeLimits.MAX_RD_ATOMIC

    private final int[] psns = new int[CAPACITY];
    private final long[] found = new long[CAPACITY];
    private int next;
    private int filled;

    void add(int psn, long value) {
        psns[next] = psn;
        found[next] = value;
        next = next + 1 & CAPACITY - 1;
        filled = Math.min(filled + 1, CAPACITY);
    }

    /** Index of an operation for {@link #found}, or -1. The latest is looked at first: a PSN comes again in the end. */
    int find(int psn) {
        for (int i = 1; i <= filled; i++) {
            int at = next - i & CAPACITY - 1;
            if (psns[at] == psn) {
                return at;
            }
        }
        return -1;
    }

    long found(int index) {
        return found[index];
    }
}
