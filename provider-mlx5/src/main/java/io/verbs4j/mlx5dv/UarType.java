/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/** Types of register pages. Source: mlx5dv_devx_alloc_uar(3), {@code MLX5DV_UAR_ALLOC_TYPE_*}. */
public final class UarType {
    /** Write-combining, for BlueFlame. Source: {@code MLX5DV_UAR_ALLOC_TYPE_BF}; rdma-core 29. */
    public static final long BF = 0;

    /** Non-cached, shared within the context. Source: {@code MLX5DV_UAR_ALLOC_TYPE_NC}; rdma-core 29. */
    public static final long NC = 1L << 0;

    /** Non-cached and not shared. Source: {@code MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED}; rdma-core 45. */
    public static final long NC_DEDICATED = 1L << 31;

    private UarType() {}
}
