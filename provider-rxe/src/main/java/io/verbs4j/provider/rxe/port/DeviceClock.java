/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import java.util.function.LongSupplier;

/**
 * The time that the timers of a port go by, in nanoseconds: it runs as {@link System#nanoTime()} does while the port's worker
 * thread runs, and stands still while that does not, because no processor is free, the JVM collects garbage or the process is
 * stopped. A timer thus leaves a peer its whole time, and an answer that came meanwhile is seen before the timer is due.
 *
 * <p>The worker steps the clock. Between two steps it goes on for a limited time only: what passes beyond does not count. Any
 * thread may read.
 */
final class DeviceClock {
    /** Most time that counts between two steps: a pause costs a timer no more. */
    static final long STEP = 4_000_000;

    private final LongSupplier nanos;

    /** Time that did not count. */
    private volatile long skipped;

    /** Where the clock stops unless it is stepped. Written after the other and read before it: they match, or it is reached. */
    private volatile long limit;

    DeviceClock(LongSupplier nanos) {
        this.nanos = nanos;
        this.limit = nanos.getAsLong();
    }

    long now() {
        long most = limit;
        long less = skipped; // before the time is asked for: else a step between makes too little of it
        return Math.min(nanos.getAsLong() - less, most);
    }

    /** A time that has been, {@link #STEP} ago at most if the worker runs: for those who look often. */
    long lately() {
        return limit - STEP;
    }

    /** The worker runs; answers the time now. */
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
