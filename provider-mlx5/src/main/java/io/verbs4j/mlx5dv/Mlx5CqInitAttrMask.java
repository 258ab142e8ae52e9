/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Bits that record which attributes of a {@link Mlx5CqInitAttr} are set. Source: mlx5dv_create_cq(3),
 * {@code MLX5DV_CQ_INIT_ATTR_MASK_*}.
 */
public final class Mlx5CqInitAttrMask {
    /**
     * The format of compressed completions. Source: {@code MLX5DV_CQ_INIT_ATTR_MASK_COMPRESSED_CQE}; rdma-core 14.
     */
    public static final long COMPRESSED_CQE = 1L << 0;

    /** The flags. Source: {@code MLX5DV_CQ_INIT_ATTR_MASK_FLAGS}; rdma-core 16. */
    public static final long FLAGS = 1L << 1;

    /** The size of a completion. Source: {@code MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE}; rdma-core 21. */
    public static final long CQE_SIZE = 1L << 2;

    private Mlx5CqInitAttrMask() {}
}
