/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.recovery;

import java.util.concurrent.TimeUnit;

/** Delays between attempts to reconnect: 50 ms at first, doubled each time, at most 5 s. */
final class Backoff {
    private static final long FIRST = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(5);

    private long next = FIRST;

    /** Starts over. */
    void reset() {
        next = FIRST;
    }

    /** Returns the nanoseconds before the next attempt. */
    long next() {
        long now = next;
        next = Math.min(2 * next, LONGEST);
        return now;
    }
}
