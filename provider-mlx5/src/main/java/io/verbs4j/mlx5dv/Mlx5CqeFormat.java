/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/** The fields that compressed completions keep. Source: mlx5dv_create_cq(3), {@code MLX5DV_CQE_RES_FORMAT_*}. */
public final class Mlx5CqeFormat {
    /** The hash of the packet. Source: {@code MLX5DV_CQE_RES_FORMAT_HASH}; rdma-core 14. */
    public static final int HASH = 1 << 0;

    /** The checksum. Source: {@code MLX5DV_CQE_RES_FORMAT_CSUM}; rdma-core 14. */
    public static final int CSUM = 1 << 1;

    /** The checksum and the index of the stride. Source: {@code MLX5DV_CQE_RES_FORMAT_CSUM_STRIDX}; rdma-core 19. */
    public static final int CSUM_STRIDX = 1 << 2;

    private Mlx5CqeFormat() {}
}
