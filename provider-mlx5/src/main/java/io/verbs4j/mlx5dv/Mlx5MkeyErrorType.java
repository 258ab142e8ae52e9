/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/** Values of {@link Mlx5MkeyError#type()}. Source: mlx5dv_mkey_check(3). */
public final class Mlx5MkeyErrorType {
    /** No error. Source: {@code MLX5DV_MKEY_NO_ERR}; rdma-core 36. */
    public static final int NO_ERR = 0;

    /**
     * The guard of a block, or its checksum, was wrong. Source: {@code MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD}; rdma-core 36.
     */
    public static final int SIG_BLOCK_BAD_GUARD = 1;

    /** The reference tag of a block was wrong. Source: {@code MLX5DV_MKEY_SIG_BLOCK_BAD_REFTAG}; rdma-core 36. */
    public static final int SIG_BLOCK_BAD_REFTAG = 2;

    /** The application tag of a block was wrong. Source: {@code MLX5DV_MKEY_SIG_BLOCK_BAD_APPTAG}; rdma-core 36. */
    public static final int SIG_BLOCK_BAD_APPTAG = 3;

    private Mlx5MkeyErrorType() {}
}
