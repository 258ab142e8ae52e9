/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.clock;

import java.util.function.LongSupplier;

/** The device's clock as programs see it, in time stamps of completions: a counter of so many bits that goes at a rate of its own. */
public final class TickClock {
    private static final int NANOS_PER_MILLI = 1_000_000;

    /**
     * How it goes.
     *
     * @param bits width of the counter, 1 to 64
     * @param khz ticks in a millisecond
     */
    public record Rate(int bits, long khz) {
        /** Widest counter. */
        public static final int MAX_BITS = 64;

        /** Highest rate. */
        public static final long MAX_KHZ = 10_000_000;

        /** An odd rate, as of adapters: who takes ticks for nanoseconds is to notice. */
        public static final Rate USUAL = new Rate(MAX_BITS, 156_250);
    }

    private final Rate rate;
    private final long mask;
    private final LongSupplier nanos;

    /** Makes a clock by one of nanoseconds. */
    public TickClock(Rate rate, LongSupplier nanos) {
        this.rate = rate;
        this.mask = -1L >>> Rate.MAX_BITS - rate.bits();
        this.nanos = nanos;
    }

    /** The count now. */
    public long ticks() {
        long now = nanos.getAsLong();
        long millis = Math.floorDiv(now, NANOS_PER_MILLI); // whole ones first: the product must fit
        long rest = now - millis * NANOS_PER_MILLI;
        return millis * rate.khz() + rest * rate.khz() / NANOS_PER_MILLI & mask;
    }

    /** The bits of a count that there are. */
    public long mask() {
        return mask;
    }

    /** Ticks in a millisecond. */
    public long khz() {
        return rate.khz();
    }
}
