/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits of {@link Counters#read(long[], int)}. No bit is or will be optional. Since level 4. Source:
 * {@code enum ibv_read_counters_flags}, {@code ibv_read_counters(3)}.
 */
public final class ReadCountersFlags {
    /**
     * Bit: cached values suffice if they are available sooner. Source: {@code IBV_READ_COUNTERS_ATTR_PREFER_CACHED},
     * {@code ibv_read_counters(3)}.
     */
    public static final int PREFER_CACHED = 1 << 0;

    private static final String[] NAMES = {
        "PREFER_CACHED",
    };

    private ReadCountersFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "PREFER_CACHED"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
