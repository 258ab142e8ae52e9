/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/** Types of checksums of {@link Mlx5SigDomain#crc}. Source: {@code enum mlx5dv_sig_crc_type}. */
public final class Mlx5CrcType {
    /** CRC-32, as in Ethernet. Source: {@code MLX5DV_SIG_CRC_TYPE_CRC32}; rdma-core 36. */
    public static final int CRC32 = 0;

    /** CRC-32C, as in iSCSI. Source: {@code MLX5DV_SIG_CRC_TYPE_CRC32C}; rdma-core 36. */
    public static final int CRC32C = 1;

    /** CRC-64 XP10. Source: {@code MLX5DV_SIG_CRC_TYPE_CRC64_XP10}; rdma-core 36. */
    public static final int CRC64_XP10 = 2;

    private Mlx5CrcType() {}
}
