/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Map;

/**
 * Bits that say which attributes of a {@link CqInitAttrEx} are set.
 *
 * <p>{@link InputAttr} explains the ranges of bits. Since level 3. Source: {@code ibv_create_cq_ex(3)},
 * {@code IBV_CQ_INIT_ATTR_MASK_*}.
 */
public final class CqInitAttrMask {
    /** Bit: the flags. Source: {@code IBV_CQ_INIT_ATTR_MASK_FLAGS}, {@code ibv_create_cq_ex(3)}. */
    public static final long FLAGS = 1L << 0;

    /**
     * Bit, optional: {@link CqInitAttrEx#flags()} has bits of {@link CqCreateFlags#OPTIONAL_RANGE}. If it has no
     * others, {@link #FLAGS} is not set, and a provider that does not know them ignores them.
     */
    public static final long HINTS = 1L << 56;

    /** Bit: the parent domain. Source: {@code IBV_CQ_INIT_ATTR_MASK_PD}, {@code ibv_create_cq_ex(3)}. */
    public static final long PD = 1L << 1;

    /**
     * Bit: the vendor's own attributes. In C, functions of the vendor take them: {@code mlx5dv_create_cq(3)},
     * {@code efadv_create_cq(3)}.
     */
    public static final long VENDOR = 1L << 31;

    /** Bits below 32 that the library must know, too: the parent domain. */
    public static final long LIBRARY_BITS = PD;

    private static final String[] NAMES =
            InputAttr.names(Map.of(FLAGS, "FLAGS", PD, "PD", VENDOR, "VENDOR", HINTS, "HINTS"));

    private CqInitAttrMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "FLAGS|VENDOR"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long bits) {
        return InputAttr.join(bits, NAMES);
    }
}
