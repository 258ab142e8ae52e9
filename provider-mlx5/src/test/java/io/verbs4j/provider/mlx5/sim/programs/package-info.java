/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The programs that the tests of {@code io.verbs4j.provider.mlx5.sim} run on simulated devices, and their rigs. */
package io.verbs4j.provider.mlx5.sim.programs;
