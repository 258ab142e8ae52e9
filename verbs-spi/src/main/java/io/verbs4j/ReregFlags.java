/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that select what to change in a memory region.
 *
 * <p>A value is the OR of any of the constants. A device newer than this class may set further bits. Source:
 * {@code ibv_rereg_mr(3)}.
 */
public final class ReregFlags {
    /** Bit: address and length. Source: {@code IBV_REREG_MR_CHANGE_TRANSLATION}, {@code ibv_rereg_mr(3)}. */
    public static final int CHANGE_TRANSLATION = 1 << 0;

    /** Bit: the protection domain. Source: {@code IBV_REREG_MR_CHANGE_PD}, {@code ibv_rereg_mr(3)}. */
    public static final int CHANGE_PD = 1 << 1;

    /**
     * Bit: the access rights, bits of {@link AccessFlags}. Source: {@code IBV_REREG_MR_CHANGE_ACCESS},
     * {@code ibv_rereg_mr(3)}.
     */
    public static final int CHANGE_ACCESS = 1 << 2;

    private static final String[] NAMES = {
        "CHANGE_TRANSLATION", "CHANGE_PD", "CHANGE_ACCESS",
    };

    private ReregFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param flags bits of this class
     * @return for instance {@code "CHANGE_TRANSLATION|CHANGE_PD"}; {@code "0"} if no bit is set; bits without a name
     *     come last, as one hexadecimal number
     */
    public static String toString(int flags) {
        return DeviceCap.join(flags, NAMES);
    }
}
