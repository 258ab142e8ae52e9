/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import java.util.Arrays;

/**
 * Who waits for a completion queue to have had so many completions: send queues that are held up. Waits count from one to the next, in
 * the order in which they are posted. Guarded by the queue's lock.
 */
public final class CompletionWaits {
    /** A send queue that is held up. */
    public interface Waiter {
        /** The number that it waits for was reached, or never will be. Called with locks held: must only take note. */
        void wake();
    }

    private Waiter[] waiters = new Waiter[4];
    private long[] targets = new long[4];
    private int count;

    /** How many completions there were. */
    private long had;

    /** Up to where they are waited for. */
    private long waitedFor;

    /** Waits that are posted and not over. */
    private int posted;

    CompletionWaits() {}

    /** A wait is posted; answers up to where it waits. */
    long post(int completions) {
        posted++;
        waitedFor += completions;
        return waitedFor;
    }

    /** A wait that was posted is over. */
    void end(Waiter waiter) {
        posted--;
        remove(waiter);
    }

    boolean isEmpty() {
        return posted == 0;
    }

    /** Whether a number was reached; if not, the waiter is told when it is. */
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

    /** There is one more completion. */
    void added() {
        had++;
        for (int i = count - 1; i >= 0; i--) {
            if (targets[i] <= had) {
                waiters[i].wake(); // which comes again, and is removed then
            }
        }
    }

    /** There will be no more that count. */
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
