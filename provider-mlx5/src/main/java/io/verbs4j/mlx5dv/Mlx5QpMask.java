/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Attributes that {@link Mlx5Dv#queuePair(io.verbs4j.QueuePair, long)} can query in addition to the rings. Source:
 * mlx5dv_init_obj(3), {@code MLX5DV_QP_MASK_*}.
 */
public final class Mlx5QpMask {
    /**
     * The offset of the register page in the device file. Source: {@code MLX5DV_QP_MASK_UAR_MMAP_OFFSET}; rdma-core 15.
     */
    public static final long UAR_MMAP_OFFSET = 1L << 0;

    /**
     * Numbers of the queues behind a raw packet queue pair. Source: {@code MLX5DV_QP_MASK_RAW_QP_HANDLES}; rdma-core
     * 21.
     */
    public static final long RAW_QP_HANDLES = 1L << 1;

    /**
     * The address of the receiving interface in the device's memory. Source: {@code MLX5DV_QP_MASK_RAW_QP_TIR_ADDR};
     * rdma-core 24.
     */
    public static final long RAW_QP_TIR_ADDR = 1L << 2;

    private Mlx5QpMask() {}
}
