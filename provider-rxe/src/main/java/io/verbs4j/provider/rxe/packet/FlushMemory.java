/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import java.util.Arrays;

/** Remembers which of the last packets were completed flushes, as many as a peer can have outstanding. */
final class FlushMemory {
    private final long[] at = new long[ResponseQueue.CAPACITY];
    private int next;

    FlushMemory() {
        Arrays.fill(at, -1);
    }

    /** Adds a flush, by the number of packets before it since the connection began. */
    void add(long packet) {
        at[next++ % at.length] = packet;
        next %= at.length;
    }

    boolean has(long packet) {
        for (long one : at) {
            if (one == packet) {
                return true;
            }
        }
        return false;
    }
}
