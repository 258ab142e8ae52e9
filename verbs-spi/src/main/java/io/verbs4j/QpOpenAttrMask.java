/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say which attributes of a {@link QpOpenAttr} are set.
 *
 * <p>{@link InputAttr} explains the ranges of bits. Since level 2. Source: {@code ibv_open_qp(3)},
 * {@code IBV_QP_OPEN_ATTR_*}.
 */
public final class QpOpenAttrMask {
    /** Bit: the number. Source: {@code IBV_QP_OPEN_ATTR_NUM}, {@code ibv_open_qp(3)}. */
    public static final long NUM = 1L << 0;

    /** Bit: the XRC domain. Source: {@code IBV_QP_OPEN_ATTR_XRCD}, {@code ibv_open_qp(3)}. */
    public static final long XRCD = 1L << 1;

    /** Bit: the application object. Source: {@code IBV_QP_OPEN_ATTR_CONTEXT}, {@code ibv_open_qp(3)}. */
    public static final long CONTEXT = 1L << 2;

    /** Bit: the type. Source: {@code IBV_QP_OPEN_ATTR_TYPE}, {@code ibv_open_qp(3)}. */
    public static final long TYPE = 1L << 3;

    /** Bits below 32 that the library must know, too: all those defined so far. */
    public static final long LIBRARY_BITS = NUM | XRCD | CONTEXT | TYPE;

    private static final String[] NAMES = {
        "NUM", "XRCD", "CONTEXT", "TYPE",
    };

    private QpOpenAttrMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "NUM|XRCD"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long mask) {
        return InputAttr.join(mask, NAMES);
    }
}
