/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/** Bytes of signatures: masks of {@link Mlx5SigBlock}. Source: mlx5dv_wr_set_mkey_sig_block(3). */
public final class Mlx5SigMask {
    /** The guard of T10-DIF. Source: {@code MLX5DV_SIG_MASK_T10DIF_GUARD}; rdma-core 36. */
    public static final int T10DIF_GUARD = 0xc0;

    /** The application tag of T10-DIF. Source: {@code MLX5DV_SIG_MASK_T10DIF_APPTAG}; rdma-core 36. */
    public static final int T10DIF_APPTAG = 0x30;

    /** The reference tag of T10-DIF. Source: {@code MLX5DV_SIG_MASK_T10DIF_REFTAG}; rdma-core 36. */
    public static final int T10DIF_REFTAG = 0x0f;

    /** A CRC-32. Source: {@code MLX5DV_SIG_MASK_CRC32}; rdma-core 36. */
    public static final int CRC32 = 0xf0;

    /** A CRC-32C. Source: {@code MLX5DV_SIG_MASK_CRC32C}; rdma-core 36. */
    public static final int CRC32C = 0xf0;

    /** A CRC-64. Source: {@code MLX5DV_SIG_MASK_CRC64_XP10}; rdma-core 36. */
    public static final int CRC64_XP10 = 0xff;

    private Mlx5SigMask() {}
}
