/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.recovery;

import java.util.concurrent.TimeUnit;

/** The times between attempts to connect again: 50 ms at first, then twice as long each time, 5 s at most. */
final class Backoff {
    private static final long FIRST = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(5);

    private long next = FIRST;

    /** Begins anew. */
    void reset() {
        next = FIRST;
    }

    /** Nanoseconds before the next attempt. */
    long next() {
        long now = next;
        next = Math.min(2 * next, LONGEST);
        return now;
    }
}
