/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.clock;

import java.util.function.LongSupplier;

/** The device's clock in completion time stamps, as programs see it: a counter with its own width and rate. */
public final class TickClock {
    private static final int NANOS_PER_MILLI = 1_000_000;

    /**
     * Width and rate of the counter.
     *
     * @param bits width of the counter, 1 to 64
     * @param khz ticks per millisecond
     */
    public record Rate(int bits, long khz) {
        /** Widest counter. */
        public static final int MAX_BITS = 64;

        /** Highest rate. */
        public static final long MAX_KHZ = 10_000_000;

        /** An odd rate, like that of hardware adapters, so that mistaking ticks for nanoseconds is noticed. */
        public static final Rate USUAL = new Rate(MAX_BITS, 156_250);
    }

    private final Rate rate;
    private final long mask;
    private final LongSupplier nanos;

    /** Creates a clock from a clock of nanoseconds. */
    public TickClock(Rate rate, LongSupplier nanos) {
        this.rate = rate;
        this.mask = -1L >>> Rate.MAX_BITS - rate.bits();
        this.nanos = nanos;
    }

    /** {@return the current count} */
    public long ticks() {
        long now = nanos.getAsLong();
        long millis = Math.floorDiv(now, NANOS_PER_MILLI); // whole milliseconds first: the product must fit
        long rest = now - millis * NANOS_PER_MILLI;
        return millis * rate.khz() + rest * rate.khz() / NANOS_PER_MILLI & mask;
    }

    /** {@return the mask of the counter's bits} */
    public long mask() {
        return mask;
    }

    /** {@return the number of ticks per millisecond} */
    public long khz() {
        return rate.khz();
    }
}
