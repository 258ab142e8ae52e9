/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits of {@link OpsWorkRequest#flags()}. No bit is or will be optional: a device that does not know one fails with
 * EOPNOTSUPP.
 *
 * <p>Since level 4. Source: {@code ibv_post_srq_ops(3)}, {@code IBV_OPS_*}.
 */
public final class OpsFlags {
    /**
     * Bit: the operation generates a completion even if it succeeds. Source: {@code IBV_OPS_SIGNALED},
     * {@code ibv_post_srq_ops(3)}.
     */
    public static final int SIGNALED = 1 << 0;

    /**
     * Bit: {@link OpsWorkRequest#unexpectedCnt()} is valid and is reported to the device. Source:
     * {@code IBV_OPS_TM_SYNC}, {@code ibv_post_srq_ops(3)}.
     */
    public static final int TM_SYNC = 1 << 1;

    private static final String[] NAMES = {
        "SIGNALED", "TM_SYNC",
    };

    private OpsFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param flags bits of this class
     * @return for instance {@code "SIGNALED|TM_SYNC"}; {@code "0"} if no bit is set; bits without a name come last, as
     *     one hexadecimal number
     */
    public static String toString(int flags) {
        return DeviceCap.join(flags, NAMES);
    }
}
