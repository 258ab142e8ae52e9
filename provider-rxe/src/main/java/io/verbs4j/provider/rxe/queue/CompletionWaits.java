/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import java.util.Arrays;

/**
 * The send queues that wait until a completion queue has had some number of completions. Each wait counts from the end
 * of the previous one, in the order in which they are posted. Guarded by the queue's lock.
 */
public final class CompletionWaits {
    /** A send queue that waits. */
    public interface Waiter {
        /**
         * Signals that the number was reached, or never will be. Called with locks held: must not do more than take
         * note.
         */
        void wake();
    }

    private Waiter[] waiters = new Waiter[4];
    private long[] targets = new long[4];
    private int count;

    /** Number of completions so far. */
    private long had;

    /** The number that the last posted wait waits for. */
    private long waitedFor;

    /** Number of posted waits that have not ended. */
    private int posted;

    CompletionWaits() {}

    /** Posts a wait and returns the number that it waits for. */
    long post(int completions) {
        posted++;
        waitedFor += completions;
        return waitedFor;
    }

    /** Ends a posted wait. */
    void end(Waiter waiter) {
        posted--;
        remove(waiter);
    }

    boolean isEmpty() {
        return posted == 0;
    }

    /** Returns whether a number was reached; if not, wakes the waiter when it is. */
    boolean isReached(long target, Waiter waiter) {
        remove(waiter);
        if (had >= target) {
            return true;
        }
        if (count == waiters.length) {
            waiters = Arrays.copyOf(waiters, 2 * count);
            targets = Arrays.copyOf(targets, 2 * count);
        }
        waiters[count] = waiter;
        targets[count++] = target;
        return false;
    }

    /** Counts a new completion. */
    void added() {
        had++;
        for (int i = count - 1; i >= 0; i--) {
            if (targets[i] <= had) {
                waiters[i].wake(); // the waiter checks again and is removed then
            }
        }
    }

    /** Wakes all waiters, because completions that would count are lost. */
    void lost() {
        for (int i = 0; i < count; i++) {
            waiters[i].wake();
        }
    }

    private void remove(Waiter waiter) {
        for (int i = 0; i < count; i++) {
            if (waiters[i] == waiter) {
                waiters[i] = waiters[--count];
                targets[i] = targets[count];
                waiters[count] = null;
                return;
            }
        }
    }
}
