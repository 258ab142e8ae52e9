/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say which attributes of a {@link ModifyCqAttr} are set. Since level 3. Source: {@code ibv_modify_cq(3)}.
 */
public final class ModifyCqMask {
    /** Bit: event moderation. Source: {@code IBV_CQ_ATTR_MODERATE}, {@code ibv_modify_cq(3)}. */
    public static final long MODERATE = 1L << 0;

    private static final String[] NAMES = {
        "MODERATE",
    };

    private ModifyCqMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "MODERATE"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long bits) {
        return InputAttr.join(bits, NAMES);
    }
}
