/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Bits of {@link Mlx5DeviceAttr.SwParsing#offloads()}. Source: mlx5dv_query_device(3), {@code MLX5DV_SW_PARSING_*}.
 */
public final class Mlx5SwParsing {
    /** Header parsing by software. Source: {@code MLX5DV_SW_PARSING}; rdma-core 16. */
    public static final int PARSING = 1 << 0;

    /** Checksums of such headers. Source: {@code MLX5DV_SW_PARSING_CSUM}; rdma-core 16. */
    public static final int CSUM = 1 << 1;

    /** Segmentation with such headers. Source: {@code MLX5DV_SW_PARSING_LSO}; rdma-core 16. */
    public static final int LSO = 1 << 2;

    private Mlx5SwParsing() {}
}
