/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Through which of the bonded ports a queue pair sends. Source: mlx5dv_query_qp_lag_port(3).
 *
 * @param configured the port that it was told to use, from 1
 * @param active the port that it does use: another one where the first is down
 */
public record LagPort(int configured, int active) {}
