/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Flags for the layout of a {@link SteeringMatcher}'s rules. Source: {@code MLX5DV_DR_MATCHER_LAYOUT_*},
 * mlx5dv_dr_matcher_set_layout(3).
 */
public final class MatcherLayoutFlags {
    /**
     * The matcher grows and shrinks with its rules. Source: {@code MLX5DV_DR_MATCHER_LAYOUT_RESIZABLE}; rdma-core 37.
     */
    public static final int RESIZABLE = 1 << 0;

    /**
     * The matcher allocates memory in advance for the expected number of rules. Source:
     * {@code MLX5DV_DR_MATCHER_LAYOUT_NUM_RULE}; rdma-core 37.
     */
    public static final int NUM_RULE = 1 << 1;

    private MatcherLayoutFlags() {}
}
