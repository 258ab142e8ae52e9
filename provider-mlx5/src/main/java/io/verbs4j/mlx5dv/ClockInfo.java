/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.rdmacore.quirk.TickClock;

/**
 * The values that convert the device's time stamps to nanoseconds, as of the moment of the query. They can convert time
 * stamps of completions from before and after that moment, for as long as
 * {@link Mlx5DeviceAttr#maxClockInfoUpdateNanos()} says; after that, query them again. Source:
 * mlx5dv_get_clock_info(3).
 *
 * @param nanos the time at {@code lastCycles} in nanoseconds, by the clock that the device was set by
 * @param lastCycles the device's clock at that moment
 * @param frac the fraction that {@code nanos} omits, in units of 1/2<sup>{@code shift}</sup> nanoseconds
 * @param mult nanoseconds per cycle, times 2<sup>{@code shift}</sup>
 * @param shift see {@code mult}
 * @param mask the bits that the device's clock has
 */
public record ClockInfo(long nanos, long lastCycles, long frac, int mult, int shift, long mask) {

    /**
     * Converts a time stamp to nanoseconds. A time stamp that appears to be more than half the clock's range ahead is
     * treated as an old one. Source: {@code mlx5dv_ts_to_ns}.
     *
     * @param timestamp raw time stamp, as in completions
     * @return nanoseconds, by the same clock as {@link #nanos}
     */
    public long toNanos(long timestamp) {
        return TickClock.toNanos(timestamp, nanos, lastCycles, frac, mult, shift, mask);
    }
}
