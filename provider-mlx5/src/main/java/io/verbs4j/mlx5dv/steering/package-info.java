/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Packet steering by rules in the device's own form, which starts at {@link io.verbs4j.mlx5dv.steering.Steering}.
 * {@link io.verbs4j.mlx5dv.steering.FlowMatcher} creates rules in the kernel's tables.
 * {@link io.verbs4j.mlx5dv.steering.SteeringDomain} is for tables that the program manages itself, with many rules and
 * fast changes. Source: mlx5dv_create_flow(3), mlx5dv_dr_flow(3).
 */
package io.verbs4j.mlx5dv.steering;
