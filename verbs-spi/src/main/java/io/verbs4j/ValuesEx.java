/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Values of a device that change: the answer of {@link Context#queryValues(long)}.
 *
 * <p>Since level 3. Source: {@code ibv_query_rt_values_ex(3)}. Not thread-safe.
 */
public final class ValuesEx extends OutputAttr {
    /** Index of {@link #rawClock()}. */
    public static final int RAW_CLOCK = 0;

    /** Index of {@link #hwclockNs()}. */
    public static final int HWCLOCK_NS = 1;

    /** What each field takes, by its index. */
    private static final Class<?>[] TYPES = {
        Long.class, // RAW_CLOCK
        Long.class, // HWCLOCK_NS
    };

    /** Creates an instance with nothing filled. */
    public ValuesEx() {
        super(TYPES);
    }

    /** {@return ticks of the device's clock now, of which {@link DeviceAttrEx#completionTimestampMask()} tells how many bits count; 0 where it was not filled} */
    public long rawClock() {
        return (Long) field(RAW_CLOCK, 0L);
    }

    /** {@return the same clock in nanoseconds; 0 where it was not filled} */
    public long hwclockNs() {
        return (Long) field(HWCLOCK_NS, 0L);
    }
}
