/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Flags of {@link Mlx5SigDomain#t10Dif}. Source: mlx5dv_wr_set_mkey_sig_block(3).
 */
public final class Mlx5T10DifFlags {
    /**
     * The reference tag increases by 1 with each block. Source: {@code MLX5DV_SIG_T10DIF_FLAG_REF_REMAP}; rdma-core 36.
     */
    public static final int REF_REMAP = 1 << 0;

    /**
     * A block whose application tag is 0xffff is not checked. Source: {@code MLX5DV_SIG_T10DIF_FLAG_APP_ESCAPE};
     * rdma-core 36.
     */
    public static final int APP_ESCAPE = 1 << 1;

    /**
     * A block whose application tag is 0xffff and whose reference tag is 0xffffffff is not checked. Source:
     * {@code MLX5DV_SIG_T10DIF_FLAG_APP_REF_ESCAPE}; rdma-core 36.
     */
    public static final int APP_REF_ESCAPE = 1 << 2;

    private Mlx5T10DifFlags() {}
}
