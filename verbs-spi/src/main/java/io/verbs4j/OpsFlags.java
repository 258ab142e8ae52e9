/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits of {@link OpsWorkRequest#flags()}. No bit is optional, now or later: a device refuses a bit that it does not
 * know, EOPNOTSUPP.
 *
 * <p>Since level 4. Source: {@code ibv_post_srq_ops(3)}, {@code IBV_OPS_*}.
 */
public final class OpsFlags {
    /**
     * Bit: the operation makes a completion, also when it succeeds. Source: {@code IBV_OPS_SIGNALED},
     * ibv_post_srq_ops(3).
     */
    public static final int SIGNALED = 1 << 0;

    /**
     * Bit: {@link OpsWorkRequest#unexpectedCnt()} counts; the device takes it over. Source: {@code IBV_OPS_TM_SYNC},
     * ibv_post_srq_ops(3).
     */
    public static final int TM_SYNC = 1 << 1;

    private static final String[] NAMES = {
        "SIGNALED", "TM_SYNC",
    };

    private OpsFlags() {}

    /**
     * Names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param flags bits of this class
     * @return for instance {@code "SIGNALED|TM_SYNC"}; {@code "0"} if no bit is set; bits without a name come last, as
     *     one hexadecimal number
     */
    public static String toString(int flags) {
        return DeviceCap.join(flags, NAMES);
    }
}
