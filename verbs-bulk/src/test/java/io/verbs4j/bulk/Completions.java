/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import java.util.ArrayDeque;
import java.util.Deque;

/** Takes the completions of a ring. */
final class Completions {
    /** A copy of a completion in the ring. */
    record Completion(long userData, long result, int flags, int peer, long value) {
        boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }

    private final BulkRing ring;
    private final Deque<Completion> taken = new ArrayDeque<>();

    Completions(BulkRing ring) {
        this.ring = ring;
    }

    int take() {
        return ring.handle((userData, result, flags, peer, value) ->
                taken.add(new Completion(userData, result, flags, peer, value)));
    }

    boolean isEmpty() {
        return taken.isEmpty();
    }

    int size() {
        return taken.size();
    }

    Completion remove() {
        return taken.remove();
    }

    @Override
    public String toString() {
        return taken.toString();
    }
}
