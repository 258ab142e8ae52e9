/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.rdmacore.object.Mlx5Clock;

/**
 * What turns the device's time stamps into nanoseconds, at the moment it was asked for. Time stamps of completions from before and
 * after can be turned, for as long as {@link Mlx5DeviceAttr#maxClockInfoUpdateNanos()} says; then it must be asked for again.
 * Source: mlx5dv_get_clock_info(3).
 *
 * @param nanos the time at {@code lastCycles}, in nanoseconds; of the clock that the device was set by
 * @param lastCycles the device's clock, at that moment
 * @param frac what was cut off from {@code nanos}, in units of 1/2<sup>{@code shift}</sup> nanoseconds
 * @param mult nanoseconds per cycle, times 2<sup>{@code shift}</sup>
 * @param shift see {@code mult}
 * @param mask bits that the device's clock has
 */
public record ClockInfo(long nanos, long lastCycles, long frac, int mult, int shift, long mask) {

    /**
     * Turns a time stamp into nanoseconds. One that lies more than half the clock's range ahead is taken for an old one. Source:
     * {@code mlx5dv_ts_to_ns}.
     *
     * @param timestamp raw, as completions have it
     * @return nanoseconds, of the same clock as {@link #nanos}
     */
    public long toNanos(long timestamp) {
        return Mlx5Clock.toNanos(timestamp, nanos, lastCycles, frac, mult, shift, mask);
    }
}
