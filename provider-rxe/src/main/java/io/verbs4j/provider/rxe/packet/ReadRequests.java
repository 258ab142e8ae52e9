/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.wire.PsnMath;

/** The outstanding read and atomic requests in order: as many as the peer can accept at a time. */
final class ReadRequests {
    private static final int CAPACITY = 128; // RxeLimits.MAX_RD_ATOMIC

    private final int[] lastPsn = new int[CAPACITY];
    private int first;
    private int count;

    int count() {
        return count;
    }

    boolean hasRoom(int limit) {
        return count < Math.min(limit, CAPACITY);
    }

    void add(int last) {
        lastPsn[first + count++ & CAPACITY - 1] = last;
    }

    /** Removes the requests that were answered, once everything before a PSN has arrived. */
    void answeredBefore(int psn) {
        while (count > 0 && PsnMath.diff(lastPsn[first], psn) < 0) {
            first = first + 1 & CAPACITY - 1;
            count--;
        }
    }

    void clear() {
        count = 0;
    }
}
