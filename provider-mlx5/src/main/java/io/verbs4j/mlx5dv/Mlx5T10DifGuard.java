/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/** Algorithms for the guard of T10-DIF. Source: {@code enum mlx5dv_sig_t10dif_bg_type}. */
public final class Mlx5T10DifGuard {
    /** The CRC-16 of T10-DIF. Source: {@code MLX5DV_SIG_T10DIF_CRC}; rdma-core 36. */
    public static final int CRC = 0;

    /** The IP checksum. Source: {@code MLX5DV_SIG_T10DIF_CSUM}; rdma-core 36. */
    public static final int CSUM = 1;

    private Mlx5T10DifGuard() {}
}
