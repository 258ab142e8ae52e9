/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How a link's own thread sees whether the program polls. A poll only counts, because reading the time takes as long as
 * the rest of a poll. For one watching thread.
 */
final class PollWatch {
    private final AtomicLong polls;
    private final long patience;
    private long seen;
    private long seenAt;

    /**
     * Watches from now on.
     *
     * @param polls changes with each poll
     * @param patience nanoseconds without a poll after which a program does not poll
     */
    PollWatch(AtomicLong polls, long patience) {
        this.polls = polls;
        this.patience = patience;
        this.seen = polls.get();
        this.seenAt = System.nanoTime() - 2 * patience;
    }

    /** Counts a poll. If several threads poll, their polls may count as one. */
    static void count(AtomicLong polls) {
        polls.lazySet(polls.get() + 1);
    }

    /** {@return whether the program has polled since the last call or lately} */
    boolean isPolled(long now) {
        long count = polls.get();
        if (count != seen) {
            seen = count;
            seenAt = now;
        }
        return now - seenAt < patience;
    }
}
