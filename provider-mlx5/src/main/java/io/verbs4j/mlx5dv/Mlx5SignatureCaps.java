/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Bits of {@link Mlx5DeviceAttr.Signature}. Source: mlx5dv_query_device(3), {@code MLX5DV_*}.
 */
public final class Mlx5SignatureCaps {
    /** T10-DIF. Source: {@code MLX5DV_SIG_PROT_CAP_T10DIF}; rdma-core 36. */
    public static final int PROT_T10DIF = 1 << 0;

    /** CRC. Source: {@code MLX5DV_SIG_PROT_CAP_CRC}; rdma-core 36. */
    public static final int PROT_CRC = 1 << 1;

    /** T10-DIF guard computed as a CRC. Source: {@code MLX5DV_SIG_T10DIF_BG_CAP_CRC}; rdma-core 36. */
    public static final int T10DIF_BG_CRC = 1 << 0;

    /** T10-DIF guard computed as a checksum. Source: {@code MLX5DV_SIG_T10DIF_BG_CAP_CSUM}; rdma-core 36. */
    public static final int T10DIF_BG_CSUM = 1 << 1;

    /** CRC32. Source: {@code MLX5DV_SIG_CRC_TYPE_CAP_CRC32}; rdma-core 36. */
    public static final int CRC32 = 1 << 0;

    /** CRC32C. Source: {@code MLX5DV_SIG_CRC_TYPE_CAP_CRC32C}; rdma-core 36. */
    public static final int CRC32C = 1 << 1;

    /** CRC64-XP10. Source: {@code MLX5DV_SIG_CRC_TYPE_CAP_CRC64_XP10}; rdma-core 36. */
    public static final int CRC64_XP10 = 1 << 2;

    /** Blocks of 512 bytes. Source: {@code MLX5DV_BLOCK_SIZE_CAP_512}; rdma-core 36. */
    public static final int BLOCK_512 = 1 << 0;

    /** Blocks of 520 bytes. Source: {@code MLX5DV_BLOCK_SIZE_CAP_520}; rdma-core 36. */
    public static final int BLOCK_520 = 1 << 1;

    /** Blocks of 4048 bytes. Source: {@code MLX5DV_BLOCK_SIZE_CAP_4048}; rdma-core 36. */
    public static final int BLOCK_4048 = 1 << 2;

    /** Blocks of 4096 bytes. Source: {@code MLX5DV_BLOCK_SIZE_CAP_4096}; rdma-core 36. */
    public static final int BLOCK_4096 = 1 << 3;

    /** Blocks of 4160 bytes. Source: {@code MLX5DV_BLOCK_SIZE_CAP_4160}; rdma-core 36. */
    public static final int BLOCK_4160 = 1 << 4;

    private Mlx5SignatureCaps() {}
}
