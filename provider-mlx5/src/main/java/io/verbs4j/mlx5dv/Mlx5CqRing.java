/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Where a completion queue is. Source: mlx5dv_init_obj(3), {@code struct mlx5dv_cq}.
 *
 * @param buf the address of the first completion
 * @param dbrec the address of the doorbell record: what was polled, and how the next event is wanted
 * @param cqeCount how many completions the ring holds, a power of two
 * @param cqeSize bytes of a completion, 64 or 128
 * @param cqUar the address of the register page that events are asked for through
 * @param cqn the number of the queue
 */
public record Mlx5CqRing(long buf, long dbrec, int cqeCount, int cqeSize, long cqUar, int cqn) {}
