/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Transports that support tag matching: {@link DeviceAttrEx#tmFlags()}. Since level 4. Source:
 * {@code ibv_query_device_ex(3)}, {@code ibv_tm_cap_flags}.
 */
public final class TmCapFlags {
    /** Bit: RC. Source: {@code IBV_TM_CAP_RC}, {@code ibv_query_device_ex(3)}. */
    public static final int RC = 1 << 0;

    private static final String[] NAMES = {
        "RC",
    };

    private TmCapFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "RC"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
