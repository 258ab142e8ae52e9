/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits of {@link ProtectionDomain#adviseMr}.
 *
 * <p>No bit is or will be optional: a library or provider that does not know or support one fails with EOPNOTSUPP.
 *
 * <p>Since level 3. Source: {@code ibv_advise_mr(3)}.
 */
public final class AdviseMrFlags {
    /**
     * Bit: return only when the advice has been carried out. Source: {@code IBV_ADVISE_MR_FLAG_FLUSH},
     * {@code ibv_advise_mr(3)}.
     */
    public static final int FLUSH = 1 << 0;

    private static final String[] NAMES = {
        "FLUSH",
    };

    private AdviseMrFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param flags bits of this class
     * @return for instance {@code "FLUSH"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(int flags) {
        return DeviceCap.join(flags, NAMES);
    }
}
