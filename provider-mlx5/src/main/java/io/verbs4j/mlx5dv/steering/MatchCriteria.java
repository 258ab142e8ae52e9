/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Parts of {@link FlowMatchParameters} that a matcher compares: {@code match_criteria_enable} in the device's form.
 * Source: {@code enum dr_matcher_criteria}, rdma-core providers/mlx5/mlx5dv_dr.h.
 */
public final class MatchCriteria {
    /** {@link OuterFields}. */
    public static final int OUTER = 1 << 0;

    /** {@link MiscFields}. */
    public static final int MISC = 1 << 1;

    /** {@link InnerFields}. */
    public static final int INNER = 1 << 2;

    /** {@link Misc2Fields}. */
    public static final int MISC2 = 1 << 3;

    /** {@link Misc3Fields}. */
    public static final int MISC3 = 1 << 4;

    /** {@link Misc4Fields}. */
    public static final int MISC4 = 1 << 5;

    /** {@link Misc5Fields}. */
    public static final int MISC5 = 1 << 6;

    private MatchCriteria() {}
}
