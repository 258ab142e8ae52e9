/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say which attributes of a {@link WqInitAttr} are set. {@link InputAttr} explains the ranges of bits. Since
 * level 4. Source: {@code enum ibv_wq_init_attr_mask}, {@code ibv_create_wq(3)}.
 */
public final class WqInitAttrMask {
    /** Bit: {@link WqInitAttr#createFlags()}. Source: {@code IBV_WQ_INIT_ATTR_FLAGS}, {@code ibv_create_wq(3)}. */
    public static final long FLAGS = 1L << 0;

    private static final String[] NAMES = {
        "FLAGS",
    };

    private WqInitAttrMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "FLAGS"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long bits) {
        return InputAttr.join(bits, NAMES);
    }
}
