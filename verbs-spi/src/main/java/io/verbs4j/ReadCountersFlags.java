/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits of {@link Counters#read(long[], int)}. No bit is optional, now or later. Since level 4. Source: {@code enum ibv_read_counters_flags},
 * ibv_read_counters(3).
 */
public final class ReadCountersFlags {
    /**
     * Bit: values that are not the newest will do, where these are there sooner. Source: {@code
     * IBV_READ_COUNTERS_ATTR_PREFER_CACHED}, ibv_read_counters(3).
     */
    public static final int PREFER_CACHED = 1 << 0;

    private static final String[] NAMES = {
        "PREFER_CACHED",
    };

    private ReadCountersFlags() {}

    /**
     * Names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "PREFER_CACHED"}; {@code "0"} if no bit is set; bits without a name come last, as
     *     one hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
