/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import java.util.Arrays;

/** Which of the last packets were flushes that were done: as many as a peer can have under way. */
final class FlushMemory {
    private final long[] at = new long[ResponseQueue.CAPACITY];
    private int next;

    FlushMemory() {
        Arrays.fill(at, -1);
    }

    /** Takes note of one, by how many packets came before it since the connection began. */
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
