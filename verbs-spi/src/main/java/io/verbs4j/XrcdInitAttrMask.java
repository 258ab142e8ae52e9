/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say which attributes of an {@link XrcdInitAttr} are set.
 *
 * <p>{@link InputAttr} explains the ranges of bits. Since level 2. Source: {@code ibv_open_xrcd(3)},
 * {@code IBV_XRCD_INIT_ATTR_*}.
 */
public final class XrcdInitAttrMask {
    /** Bit: the file. Source: {@code IBV_XRCD_INIT_ATTR_FD}, {@code ibv_open_xrcd(3)}. */
    public static final long FILE = 1L << 0;

    /** Bit: how to open. Source: {@code IBV_XRCD_INIT_ATTR_OFLAGS}, {@code ibv_open_xrcd(3)}. */
    public static final long OFLAGS = 1L << 1;

    /** Bits below 32 that the library must know, too: both. */
    public static final long LIBRARY_BITS = FILE | OFLAGS;

    private static final String[] NAMES = {
        "FILE", "OFLAGS",
    };

    private XrcdInitAttrMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "FILE|OFLAGS"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long mask) {
        return InputAttr.join(mask, NAMES);
    }
}
