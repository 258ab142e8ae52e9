/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.marshal.Completions;
import java.util.ArrayDeque;
import java.util.Deque;

/** Completions taken from the driver that the program has not polled yet. Used by one thread at a time. */
final class KeptCompletions {
    private final Deque<WorkCompletion> kept = new ArrayDeque<>(1); // most queues never keep one

    /** Keeps a completion, which must not be refilled. */
    void add(WorkCompletion wc) {
        kept.add(wc);
    }

    /** Drops the completions of a queue pair. */
    void remove(int qpNum) {
        kept.removeIf(wc -> wc.qpNum() == qpNum);
    }

    /** Moves the oldest completions to the program; returns how many. */
    int take(WorkCompletion[] wc, int most) {
        int n = 0;
        while (n < most && !kept.isEmpty()) {
            Completions.copy(kept.remove(), wc[n++].expect(0));
        }
        return n;
    }

    /** Removes and returns the oldest completion, or null if there is none. */
    WorkCompletion next() {
        return kept.poll();
    }

    /** {@return the number of completions} */
    int size() {
        return kept.size();
    }

    /** Drops all completions. */
    void clear() {
        kept.clear();
    }
}
