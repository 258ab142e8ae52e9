/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * The bonded ports that a queue pair sends through. Source: mlx5dv_query_qp_lag_port(3).
 *
 * @param configured the port that it was configured to use, from 1
 * @param active the port that it actually uses, which differs if the first is down
 */
public record LagPort(int configured, int active) {}
