/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say how to open an XRC domain.
 *
 * <p>Since level 2. Source: {@code ibv_open_xrcd(3)}, {@code open(2)}.
 */
public final class XrcdOpenFlags {
    /** Bit: create the domain if there is none for the file. Source: {@code O_CREAT}, {@code open(2)}. */
    public static final int CREAT = 0x40;

    /** Bit: with {@link #CREAT}, fail if there is one. Source: {@code O_EXCL}, {@code open(2)}. */
    public static final int EXCL = 0x80;

    private static final String[] NAMES = {
        null, null, null, null, null, null, "CREAT", "EXCL",
    };

    private XrcdOpenFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param flags bits of this class
     * @return for instance {@code "CREAT|EXCL"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(int flags) {
        return DeviceCap.join(flags, NAMES);
    }
}
