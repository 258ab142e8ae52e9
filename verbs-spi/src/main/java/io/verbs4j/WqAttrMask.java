/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say which attributes of a {@link WqAttr} are set. {@link InputAttr} explains the ranges of bits. Since
 * level 4. Source: {@code enum ibv_wq_attr_mask}, {@code ibv_modify_wq(3)}.
 */
public final class WqAttrMask {
    /** Bit: {@link WqAttr#wqState()}. Source: {@code IBV_WQ_ATTR_STATE}, {@code ibv_modify_wq(3)}. */
    public static final long STATE = 1L << 0;

    /** Bit: {@link WqAttr#currWqState()}. Source: {@code IBV_WQ_ATTR_CURR_STATE}, {@code ibv_modify_wq(3)}. */
    public static final long CURR_STATE = 1L << 1;

    /**
     * Bit: {@link WqAttr#flags()} and {@link WqAttr#flagsMask()}. Source: {@code IBV_WQ_ATTR_FLAGS},
     * {@code ibv_modify_wq(3)}.
     */
    public static final long FLAGS = 1L << 2;

    private static final String[] NAMES = {
        "STATE", "CURR_STATE", "FLAGS",
    };

    private WqAttrMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "STATE|CURR_STATE"}; {@code "0"} if no bit is set; bits without a name come last, as
     *     one hexadecimal number
     */
    public static String toString(long bits) {
        return InputAttr.join(bits, NAMES);
    }
}
