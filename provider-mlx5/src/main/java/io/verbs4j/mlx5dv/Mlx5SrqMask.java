/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Attributes that {@link Mlx5Dv#sharedReceiveQueue(io.verbs4j.SharedReceiveQueue, long)} can query in addition to the
 * ring. Source: mlx5dv_init_obj(3), {@code MLX5DV_SRQ_MASK_*}.
 */
public final class Mlx5SrqMask {
    /** The number of the queue. Source: {@code MLX5DV_SRQ_MASK_SRQN}; rdma-core 21. */
    public static final long SRQN = 1L << 0;

    private Mlx5SrqMask() {}
}
