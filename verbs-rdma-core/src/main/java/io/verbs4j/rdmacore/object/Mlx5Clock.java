/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libmlx5;
import io.verbs4j.rdmacore.layout.DvClockInfoLayout;

/**
 * Converts the ticks in libmlx5's completions to nanoseconds since 1970, by the page that the kernel maintains for it,
 * as {@code mlx5dv_get_clock_info} reads it. Used by one thread at a time.
 *
 * <p>libmlx5 does the same for a queue that is created with wall-clock time, but its {@code start_poll} takes a
 * completion before it reads the page. If the kernel is writing the page then, it returns EBUSY, the completion is
 * lost, and in some releases the lock stays taken. So only ticks are requested from the driver.
 */
public final class Mlx5Clock {
    private static final String VERB = "create_cq_ex";

    private final NativeFunction getClockInfo;
    private final long context;
    private final long area = NativeMemory.allocate(DvClockInfoLayout.SIZEOF);
    private long nanos;
    private long lastTicks;
    private long fraction;
    private int factor;
    private int shift;
    private long mask;

    /**
     * Creates the clock of a {@code struct ibv_context} of libmlx5.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the kernel provides no time for the device
     */
    public Mlx5Clock(long context) {
        this.context = context;
        try {
            getClockInfo = Libmlx5.function("mlx5dv_get_clock_info", 17);
            int error = ask();
            for (int i = 0; error == Errno.EBUSY && i < 1000; i++) {
                Thread.onSpinWait();
                error = ask();
            }
            if (error == Errno.EINVAL) { // the page does not exist
                throw new VerbsException(
                        Errno.EOPNOTSUPP,
                        VERB,
                        "the kernel does not tell the time of this device; take COMPLETION_TIMESTAMP");
            }
            if (error != 0) {
                throw Answers.failed(VERB, error);
            }
        } catch (RuntimeException e) {
            free();
            throw e;
        }
    }

    private int ask() {
        int error = Answers.errno(getClockInfo.call(context, area));
        if (error == 0) { // otherwise its fields may belong to two moments
            nanos = NativeMemory.getLong(area + DvClockInfoLayout.NSEC);
            lastTicks = NativeMemory.getLong(area + DvClockInfoLayout.LAST_CYCLES);
            fraction = NativeMemory.getLong(area + DvClockInfoLayout.FRAC);
            factor = NativeMemory.getInt(area + DvClockInfoLayout.MULT);
            shift = NativeMemory.getInt(area + DvClockInfoLayout.SHIFT);
            mask = NativeMemory.getLong(area + DvClockInfoLayout.MASK);
        }
        return error;
    }

    /** Reads the page again. While it is being written, the last values stay in use; they remain good for minutes. */
    public void refresh() {
        ask();
    }

    /** Converts ticks to nanoseconds since 1970. */
    public long toNanos(long ticks) {
        return toNanos(ticks, nanos, lastTicks, fraction, factor, shift, mask);
    }

    /**
     * Converts ticks to nanoseconds. Ticks more than half the clock's range ahead count as past ones. Source:
     * {@code mlx5dv_ts_to_ns}.
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

    /** Frees the clock's memory; the clock must not be used afterwards. */
    public void free() {
        NativeMemory.free(area);
    }
}
