/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say which attributes of an {@link OpenAttr} are set.
 *
 * <p>{@link InputAttr} explains the ranges of bits. Since level 1.
 */
public final class OpenAttrMask {
    /** Bit: the vendor's own attributes. Source: {@code mlx5dv_open_device(3)}. */
    public static final long VENDOR = 1L << 0;

    /** Bit: the descriptor of a context to import. Since level 4. Source: {@code ibv_import_device(3)}. */
    public static final long IMPORT_FD = 1L << 1;

    private static final String[] NAMES = {
        "VENDOR", "IMPORT_FD",
    };

    private OpenAttrMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "VENDOR"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long mask) {
        return InputAttr.join(mask, NAMES);
    }
}
