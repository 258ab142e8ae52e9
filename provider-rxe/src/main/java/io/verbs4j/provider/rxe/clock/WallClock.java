/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.clock;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The time of day in nanoseconds since 1970, computed from a nanosecond clock and an offset, so that reading it
 * allocates nothing. Once a second it checks whether the system clock was set.
 */
public final class WallClock {
    private static final long LOOK_EVERY = 1_000_000_000;

    /** A difference that the system's millisecond clock can show even if it was not set. */
    private static final long TOLERANCE_MILLIS = 2;

    private static final int TRIES = 5;

    private final LongSupplier nanos;
    private volatile long offset;
    private volatile long lookedAt;

    /** Creates a clock from a clock of nanoseconds. */
    public WallClock(LongSupplier nanos) {
        this.nanos = nanos;
        this.lookedAt = nanos.getAsLong();
        measure();
    }

    /** {@return the current time} */
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

    /**
     * Measures the offset. Takes the quickest of several tries, because a thread may be delayed between the two clocks.
     */
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
