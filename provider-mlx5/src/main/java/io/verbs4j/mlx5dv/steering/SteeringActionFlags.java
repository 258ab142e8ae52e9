/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Flags for actions of a {@link SteeringDomain}. Source: {@code MLX5DV_DR_ACTION_FLAGS_*},
 * mlx5dv_dr_action_create_modify_header(3).
 */
public final class SteeringActionFlags {
    /** The action is for rules of the table of level 0. Source: {@code MLX5DV_DR_ACTION_FLAGS_ROOT_LEVEL}. */
    public static final int ROOT_LEVEL = 1 << 0;

    private SteeringActionFlags() {}
}
