/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.clock;

import java.util.function.LongSupplier;

/**
 * Limits the rate at which bytes are sent. Each byte takes time, and the bytes sent so far are paid for until some
 * point in time. Unused time since then is available for a burst, up to the burst limit. Not thread-safe.
 *
 * <pre>
 *    paid for until        now
 *     |-- at most a burst --|
 * </pre>
 */
public final class RateLimit {
    /** As long as a thread may wake late, so that it can catch up afterwards. */
    private static final long USUAL_BURST_NANOS = 10_000_000;

    /** Nanoseconds that a byte takes at one kilobit per second. */
    private static final long NANOS_AT_ONE = 8_000_000;

    private final LongSupplier nanos;
    private final long kbps;
    private final long burst;

    /**
     * Whether the program requested the burst. Otherwise the unused time only makes up for a thread that wakes late,
     * whatever the size of a message.
     */
    private final boolean strict;

    private long paidUntil;

    /** Remainder of the last division; with small messages the remainders add up. */
    private long rest;

    /**
     * Creates a limit.
     *
     * @param nanos the clock, in nanoseconds
     * @param kbps kilobits per second, at least 1
     * @param burstBytes bytes that may be sent at once, or 0 for the default
     */
    public RateLimit(LongSupplier nanos, long kbps, long burstBytes) {
        this.nanos = nanos;
        this.kbps = kbps;
        this.burst = burstBytes == 0 ? USUAL_BURST_NANOS : burstBytes * NANOS_AT_ONE / kbps;
        this.strict = burstBytes != 0;
        this.paidUntil = nanos.getAsLong() - burst;
    }

    /**
     * Returns the nanoseconds until the given number of bytes may be sent at once; 0 means now. If the program
     * requested a burst limit, up to that many bytes wait until unused time covers them. Anything else waits only until
     * everything sent before is paid for.
     */
    public long delay(long bytes) {
        if (bytes <= 0) {
            return 0;
        }
        long cost = bytes * NANOS_AT_ONE / kbps;
        return Math.max(0, paidUntil + (strict && cost <= burst ? cost : 0) - nanos.getAsLong());
    }

    /** Accounts for bytes sent. */
    public void sent(long bytes) {
        long cost = bytes * NANOS_AT_ONE + rest;
        rest = cost % kbps;
        paidUntil = Math.max(paidUntil, nanos.getAsLong() - burst) + cost / kbps;
    }
}
