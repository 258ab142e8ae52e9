/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/** Flags of {@link Mlx5Dv#createMkey}. Source: mlx5dv_create_mkey(3). */
public final class Mlx5MkeyFlags {
    /** The key refers to other keys. Required. Source: {@code MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT}; rdma-core 24. */
    public static final int INDIRECT = 1 << 0;

    /** The data may have signatures. Source: {@code MLX5DV_MKEY_INIT_ATTR_FLAGS_BLOCK_SIGNATURE}; rdma-core 36. */
    public static final int BLOCK_SIGNATURE = 1 << 1;

    /**
     * The lowest 8 bits of the key may change. Source: {@code MLX5DV_MKEY_INIT_ATTR_FLAGS_UPDATE_TAG}; rdma-core 43.
     */
    public static final int UPDATE_TAG = 1 << 3;

    /** A peer may invalidate the key. Source: {@code MLX5DV_MKEY_INIT_ATTR_FLAGS_REMOTE_INVALIDATE}; rdma-core 43. */
    public static final int REMOTE_INVALIDATE = 1 << 4;

    private Mlx5MkeyFlags() {}
}
