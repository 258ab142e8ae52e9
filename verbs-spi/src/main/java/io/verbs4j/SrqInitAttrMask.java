/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say which attributes of a {@link SrqInitAttrEx} are set.
 *
 * <p>{@link InputAttr} explains the ranges of bits. Since level 2. Source: {@code ibv_create_srq_ex(3)},
 * {@code IBV_SRQ_INIT_ATTR_*}.
 */
public final class SrqInitAttrMask {
    /** Bit: the type. Source: {@code IBV_SRQ_INIT_ATTR_TYPE}, {@code ibv_create_srq_ex(3)}. */
    public static final long TYPE = 1L << 0;

    /** Bit: the protection domain. Source: {@code IBV_SRQ_INIT_ATTR_PD}, {@code ibv_create_srq_ex(3)}. */
    public static final long PD = 1L << 1;

    /** Bit: the XRC domain. Source: {@code IBV_SRQ_INIT_ATTR_XRCD}, {@code ibv_create_srq_ex(3)}. */
    public static final long XRCD = 1L << 2;

    /** Bit: the completion queue. Source: {@code IBV_SRQ_INIT_ATTR_CQ}, {@code ibv_create_srq_ex(3)}. */
    public static final long CQ = 1L << 3;

    /**
     * Bit: the sizes of the matching list. Since level 4. Source: {@code IBV_SRQ_INIT_ATTR_TM},
     * {@code ibv_create_srq_ex(3)}.
     */
    public static final long TM = 1L << 4;

    /** Bits below 32 that the library must know, too: type, domains and queue. */
    public static final long LIBRARY_BITS = TYPE | PD | XRCD | CQ;

    private static final String[] NAMES = {
        "TYPE", "PD", "XRCD", "CQ", "TM",
    };

    private SrqInitAttrMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "TYPE|PD"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long mask) {
        return InputAttr.join(mask, NAMES);
    }
}
