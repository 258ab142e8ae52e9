/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import java.util.function.LongSupplier;

/**
 * The time base of a port's timers, in nanoseconds. It runs like {@link System#nanoTime()} while the port's worker
 * thread runs, and stands still while that thread does not, because no processor is free, the JVM collects garbage or
 * the process is stopped. This gives a peer the full time of each timer, and an answer that has arrived meanwhile is
 * processed before the timer is due.
 *
 * <p>The worker steps the clock. After a step it continues for a limited time only; whatever passes beyond that does
 * not count. Any thread may read it.
 */
final class DeviceClock {
    /** The maximum time that counts between two steps, and thus what a pause costs a timer at most. */
    static final long STEP = 4_000_000;

    private final LongSupplier nanos;

    /** Time that did not count. */
    private volatile long skipped;

    /**
     * Where the clock stops unless it is stepped. Written after {@code skipped} and read before it, so that a reader
     * gets matching values or is stopped by the limit.
     */
    private volatile long limit;

    DeviceClock(LongSupplier nanos) {
        this.nanos = nanos;
        this.limit = nanos.getAsLong();
    }

    long now() {
        long most = limit;
        long less = skipped; // read before the time: otherwise a step in between makes the result too small
        return Math.min(nanos.getAsLong() - less, most);
    }

    /** {@return a past time, at most {@link #STEP} ago if the worker runs} For callers that ask often. */
    long lately() {
        return limit - STEP;
    }

    /** {@return a time from now on, at most {@link #STEP} away if the worker runs} For callers that ask often. */
    long soon() {
        return limit;
    }

    /** Steps the clock, because the worker runs; returns the current time. */
    synchronized long step() {
        long now = nanos.getAsLong() - skipped;
        long over = now - limit;
        if (over > 0) {
            skipped = skipped + over;
            now -= over;
        }
        limit = now + STEP;
        return now;
    }
}
