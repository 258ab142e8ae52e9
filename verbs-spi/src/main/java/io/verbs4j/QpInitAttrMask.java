/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that tell which attributes of a {@link QpInitAttrEx} are there.
 *
 * <p>Since level 2. Source: {@code ibv_create_qp_ex(3)}, {@code IBV_QP_INIT_ATTR_*}.
 */
public final class QpInitAttrMask {
    /** Bit: the protection domain. Source: {@code IBV_QP_INIT_ATTR_PD}, ibv_create_qp_ex(3). */
    public static final long PD = 1L << 0;

    /** Bit: the XRC domain. Source: {@code IBV_QP_INIT_ATTR_XRCD}, ibv_create_qp_ex(3). */
    public static final long XRCD = 1L << 1;

    private static final String[] NAMES = {
        "PD", "XRCD",
    };

    private QpInitAttrMask() {}

    /**
     * Names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "PD|XRCD"}; {@code "0"} if no bit is set; bits without a name come
     *     last, as one hexadecimal number
     */
    public static String toString(long mask) {
        return InputAttr.join(mask, NAMES);
    }
}
