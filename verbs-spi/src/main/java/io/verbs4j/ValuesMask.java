/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that select values of a device to read, and report which were filled: those of {@link ValuesEx}. Since level 3.
 * Source: {@code ibv_query_rt_values_ex(3)}.
 *
 * <p>The bits do not have C's numbers: a bit is 1 shifted by the index of its field in {@link ValuesEx}, and the
 * provider translates. A bit that C adds gets another number here if its own is taken.
 */
public final class ValuesMask {
    /**
     * Bit: the device's clock, in ticks. Source: {@code IBV_VALUES_MASK_RAW_CLOCK}, {@code ibv_query_rt_values_ex(3)}.
     */
    public static final long RAW_CLOCK = 1L << ValuesEx.RAW_CLOCK;

    /** Bit: the same clock in nanoseconds. C has no such bit: programs compute it from the clock's frequency. */
    public static final long HWCLOCK_NS = 1L << ValuesEx.HWCLOCK_NS;

    private static final String[] NAMES = {
        "RAW_CLOCK", "HWCLOCK_NS",
    };

    private ValuesMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "RAW_CLOCK|HWCLOCK_NS"}; {@code "0"} if no bit is set; bits without a name come last,
     *     as one hexadecimal number
     */
    public static String toString(long bits) {
        return InputAttr.join(bits, NAMES);
    }
}
