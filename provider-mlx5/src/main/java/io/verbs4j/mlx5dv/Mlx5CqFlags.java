/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Flags of {@link Mlx5CqInitAttr#flags(int)}. Source: mlx5dv_create_cq(3), {@code MLX5DV_CQ_INIT_ATTR_FLAGS_*}.
 */
public final class Mlx5CqFlags {
    /**
     * Completions of 64 bytes are padded to 128 bytes. Source: {@code MLX5DV_CQ_INIT_ATTR_FLAGS_CQE_PAD}; rdma-core 16.
     */
    public static final int CQE_PAD = 1 << 0;

    private Mlx5CqFlags() {}
}
