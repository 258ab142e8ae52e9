/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.clock;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The time of day in nanoseconds since 1970, by a clock of nanoseconds and how far that is from it: to ask for it makes no object. Whether
 * the system's clock was set meanwhile is looked at now and then.
 */
public final class WallClock {
    private static final long LOOK_EVERY = 1_000_000_000;

    /** A difference that the system's clock of milliseconds shows where nothing was set. */
    private static final long TOLERANCE_MILLIS = 2;

    private static final int TRIES = 5;

    private final LongSupplier nanos;
    private volatile long offset;
    private volatile long lookedAt;

    /** Makes a clock by one of nanoseconds. */
    public WallClock(LongSupplier nanos) {
        this.nanos = nanos;
        this.lookedAt = nanos.getAsLong();
        measure();
    }

    /** The time now. */
    public long now() {
        long now = nanos.getAsLong();
        if (now - lookedAt >= LOOK_EVERY) {
            lookedAt = now;
            long expected = Math.floorDiv(now + offset, 1_000_000L);
            if (Math.abs(System.currentTimeMillis() - expected) > TOLERANCE_MILLIS) {
                measure();
            }
        }
        return now + offset;
    }

    /** The quickest of some tries, as a thread may be held up between two clocks. */
    private void measure() {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            long before = nanos.getAsLong();
            Instant instant = Instant.now();
            long took = nanos.getAsLong() - before;
            if (took < best) {
                best = took;
                offset = instant.getEpochSecond() * 1_000_000_000 + instant.getNano() - (before + took / 2);
            }
        }
    }
}
