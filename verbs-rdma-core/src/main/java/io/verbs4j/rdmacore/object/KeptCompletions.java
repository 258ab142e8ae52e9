/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.marshal.Completions;
import java.util.ArrayDeque;
import java.util.Deque;

/** Completions that were taken from the driver and not by the program yet. Used by one thread at a time. */
final class KeptCompletions {
    private final Deque<WorkCompletion> kept = new ArrayDeque<>(1); // most queues never keep one

    /** Keeps one, for good: nobody else may fill it again. */
    void add(WorkCompletion wc) {
        kept.add(wc);
    }

    /** Lets go of those of a queue pair. */
    void remove(int qpNum) {
        kept.removeIf(wc -> wc.qpNum() == qpNum);
    }

    /** Gives the oldest ones to the program; how many. */
    int take(WorkCompletion[] wc, int most) {
        int n = 0;
        while (n < most && !kept.isEmpty()) {
            Completions.copy(kept.remove(), wc[n++].expect(0));
        }
        return n;
    }

    /** Gives the oldest one; null where there is none. */
    WorkCompletion next() {
        return kept.poll();
    }

    /** How many there are. */
    int size() {
        return kept.size();
    }

    /** Lets go of all. */
    void clear() {
        kept.clear();
    }
}
