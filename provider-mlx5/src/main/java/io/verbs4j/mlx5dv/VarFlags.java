/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Flags of {@link Mlx5Dv#allocVar(int)}. Source: mlx5dv_alloc_var(3), {@code MLX5DV_VAR_ALLOC_FLAG_*}.
 */
public final class VarFlags {
    /** A page for transaction layer packets. Source: {@code MLX5DV_VAR_ALLOC_FLAG_TLP}; rdma-core 63. */
    public static final int TLP = 1 << 0;

    private VarFlags() {}
}
