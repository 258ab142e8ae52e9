/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Steering of packets by rules in the device's own form: {@link io.verbs4j.mlx5dv.steering.Steering} begins it. Rules
 * of the kernel's tables are made by a {@link io.verbs4j.mlx5dv.steering.FlowMatcher}; tables that the program manages
 * itself, with many rules and fast changes, by a {@link io.verbs4j.mlx5dv.steering.SteeringDomain}. Source:
 * mlx5dv_create_flow(3), mlx5dv_dr_flow(3).
 */
package io.verbs4j.mlx5dv.steering;
