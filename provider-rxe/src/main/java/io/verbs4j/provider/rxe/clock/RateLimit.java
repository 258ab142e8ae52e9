/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.clock;

import java.util.function.LongSupplier;

/**
 * How fast bytes may be sent. Each byte takes its time; what was sent is paid for until some time. What of the time since then was not
 * used is left for a burst, up to that. Not thread-safe.
 *
 * <pre>
 *    paid for until        now
 *     |-- at most a burst --|
 * </pre>
 */
public final class RateLimit {
    /** As long as a thread may wake late: what was missed by that is sent after it. */
    private static final long USUAL_BURST_NANOS = 10_000_000;

    /** Nanoseconds that a byte takes at one kilobit per second. */
    private static final long NANOS_AT_ONE = 8_000_000;

    private final LongSupplier nanos;
    private final long kbps;
    private final long burst;

    /** Whether the burst was asked for. Else what is left serves to make up for a thread that wakes late, whatever a message has. */
    private final boolean strict;

    private long paidUntil;

    /** What the last division left over: with small messages it adds up. */
    private long rest;

    /**
     * Makes a limit.
     *
     * @param nanos the time
     * @param kbps kilobits per second, from 1
     * @param burstBytes bytes that may be sent at once, or 0
     */
    public RateLimit(LongSupplier nanos, long kbps, long burstBytes) {
        this.nanos = nanos;
        this.kbps = kbps;
        this.burst = burstBytes == 0 ? USUAL_BURST_NANOS : burstBytes * NANOS_AT_ONE / kbps;
        this.strict = burstBytes != 0;
        this.paidUntil = nanos.getAsLong() - burst;
    }

    /** Nanoseconds until so many bytes may be sent at once; 0 where that is now. What is more than a burst waits until all is paid for. */
    public long delay(long bytes) {
        if (bytes <= 0) {
            return 0;
        }
        long cost = bytes * NANOS_AT_ONE / kbps;
        return Math.max(0, paidUntil + (strict && cost <= burst ? cost : 0) - nanos.getAsLong());
    }

    /** So many bytes are sent. */
    public void sent(long bytes) {
        long cost = bytes * NANOS_AT_ONE + rest;
        rest = cost % kbps;
        paidUntil = Math.max(paidUntil, nanos.getAsLong() - burst) + cost / kbps;
    }
}
