/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/** Sizes of the blocks that carry one signature each. Source: {@code enum mlx5dv_block_size}. */
public final class Mlx5BlockSize {
    /** 512 bytes. Source: {@code MLX5DV_BLOCK_SIZE_512}; rdma-core 36. */
    public static final int SIZE_512 = 0;

    /** 520 bytes. Source: {@code MLX5DV_BLOCK_SIZE_520}; rdma-core 36. */
    public static final int SIZE_520 = 1;

    /** 4048 bytes. Source: {@code MLX5DV_BLOCK_SIZE_4048}; rdma-core 36. */
    public static final int SIZE_4048 = 2;

    /** 4096 bytes. Source: {@code MLX5DV_BLOCK_SIZE_4096}; rdma-core 36. */
    public static final int SIZE_4096 = 3;

    /** 4160 bytes. Source: {@code MLX5DV_BLOCK_SIZE_4160}; rdma-core 36. */
    public static final int SIZE_4160 = 4;

    private Mlx5BlockSize() {}
}
