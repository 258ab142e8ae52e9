/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.quirk;

/**
 * Converts the ticks in completions to nanoseconds since 1970. A driver's subclass reads the values that this takes.
 * Used by one thread at a time.
 */
public abstract class TickClock {
    private long nanos;
    private long lastTicks;
    private long fraction;
    private int factor;
    private int shift;
    private long mask;

    /** For the drivers of this package. */
    TickClock() {}

    /** Sets the values of the conversion, see {@link #toNanos(long, long, long, long, int, int, long)}. */
    final void set(long nanos, long lastTicks, long fraction, int factor, int shift, long mask) {
        this.nanos = nanos;
        this.lastTicks = lastTicks;
        this.fraction = fraction;
        this.factor = factor;
        this.shift = shift;
        this.mask = mask;
    }

    /** Reads the values again, if they can be read; otherwise the last ones stay in use. */
    public abstract void refresh();

    /** Frees the clock's memory; the clock must not be used afterwards. */
    public abstract void free();

    /** Converts ticks to nanoseconds since 1970. */
    public final long toNanos(long ticks) {
        return toNanos(ticks, nanos, lastTicks, fraction, factor, shift, mask);
    }

    /**
     * Converts ticks to nanoseconds. Ticks more than half the clock's range ahead count as past ones.
     *
     * @param ticks from a completion
     * @param nanos the time at {@code lastTicks}
     * @param lastTicks the clock at that time
     * @param fraction rest of {@code nanos}, in units of 1/2<sup>{@code shift}</sup> nanoseconds
     * @param factor nanoseconds per tick, times 2<sup>{@code shift}</sup>; unsigned
     * @param shift see {@code factor}
     * @param mask valid bits of the clock
     */
    public static long toNanos(
            long ticks, long nanos, long lastTicks, long fraction, int factor, int shift, long mask) {
        long unsigned = Integer.toUnsignedLong(factor);
        long ahead = (ticks - lastTicks) & mask;
        if (Long.compareUnsigned(ahead, mask >>> 1) > 0) {
            long behind = (lastTicks - ticks) & mask;
            return nanos - ((behind * unsigned - fraction) >>> shift);
        }
        return nanos + ((ahead * unsigned + fraction) >>> shift);
    }
}
