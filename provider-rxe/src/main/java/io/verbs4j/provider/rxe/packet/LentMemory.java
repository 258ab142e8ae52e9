/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.share.RingWriter;

/** What one half of a queue pair has lent to another process through a ring. For one thread at a time. */
final class LentMemory {
    /** The ring that memory was last lent to, and up to which point; null if everything has been recalled. */
    private RingWriter ring;

    private long until;

    /** Notes that the current span of a ring lends memory. */
    void lent(RingWriter to) {
        ring = to;
        until = to.spanEnd();
    }

    /** Recalls the memory: when this returns, the other process does not read it any more. */
    void recall() {
        RingWriter last = ring;
        if (last != null) {
            ring = null;
            last.recall(until);
        }
    }
}
