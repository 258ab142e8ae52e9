/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Flags of {@link Mlx5MkeyRequest#confFlags(int)}. Source: mlx5dv_wr_mkey_configure(3).
 */
public final class Mlx5MkeyConfFlags {
    /**
     * The key has no signatures afterwards, unless the request sets some. Source:
     * {@code MLX5DV_MKEY_CONF_FLAG_RESET_SIG_ATTR}; rdma-core 36.
     */
    public static final int RESET_SIG_ATTR = 1 << 0;

    private Mlx5MkeyConfFlags() {}
}
