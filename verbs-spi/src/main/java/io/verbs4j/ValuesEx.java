/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Values of a device that change over time: the result of {@link Context#queryValues(long)}.
 *
 * <p>Since level 3. Source: {@code ibv_query_rt_values_ex(3)}. Not thread-safe.
 */
public final class ValuesEx extends OutputAttr {
    /** Index of {@link #rawClock()}. */
    public static final int RAW_CLOCK = 0;

    /** Index of {@link #hwclockNs()}. */
    public static final int HWCLOCK_NS = 1;

    /** The type of each field, by its index. */
    private static final Class<?>[] TYPES = {
        Long.class, // RAW_CLOCK
        Long.class, // HWCLOCK_NS
    };

    /** Creates an instance with no field filled. */
    public ValuesEx() {
        super(TYPES);
    }

    /**
     * {@return the current ticks of the device's clock; 0 if not filled} Only the bits of
     * {@link DeviceAttrEx#completionTimestampMask()} are valid.
     */
    public long rawClock() {
        return (Long) field(RAW_CLOCK, 0L);
    }

    /** {@return the same clock in nanoseconds; 0 if not filled} */
    public long hwclockNs() {
        return (Long) field(HWCLOCK_NS, 0L);
    }
}
