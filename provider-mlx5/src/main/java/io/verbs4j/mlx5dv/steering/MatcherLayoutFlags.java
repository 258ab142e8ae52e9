/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * How a {@link SteeringMatcher} lays out its rules. Source: {@code MLX5DV_DR_MATCHER_LAYOUT_*},
 * mlx5dv_dr_matcher_set_layout(3).
 */
public final class MatcherLayoutFlags {
    /** It grows and shrinks with its rules. Source: {@code MLX5DV_DR_MATCHER_LAYOUT_RESIZABLE}; rdma-core 37. */
    public static final int RESIZABLE = 1 << 0;

    /**
     * The expected number of rules is given, for which it allocates memory beforehand. Source:
     * {@code MLX5DV_DR_MATCHER_LAYOUT_NUM_RULE}; rdma-core 37.
     */
    public static final int NUM_RULE = 1 << 1;

    private MatcherLayoutFlags() {}
}
