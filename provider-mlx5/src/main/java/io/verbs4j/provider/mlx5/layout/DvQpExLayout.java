/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_qp_ex}: functions that build requests of the vendor's own.
 *
 * <pre>
 * 16 wr_mr_interleaved(8)  24 wr_mr_list(8)  32 wr_mkey_configure(8)@36  40 wr_set_mkey_access_flags(8)@36
 * 48 wr_set_mkey_layout_list(8)@36  56 wr_set_mkey_layout_interleaved(8)@36  64 wr_set_mkey_sig_block(8)@36
 * 72 wr_raw_wqe(8)@36  88 wr_memcpy(8)@37    104 in all
 * in all, by release: 32 from 24, 80 from 36, 104 from 37
 * </pre>
 */
@CStruct(value = "struct mlx5dv_qp_ex", header = "infiniband/mlx5dv.h", since = 24)
public final class DvQpExLayout {
    @CSize(size = 32)
    @CSize(since = 36, size = 80)
    @CSize(since = 37, size = 104)
    public static final int SIZEOF = 104;

    @CField(value = "wr_mr_interleaved", size = 8)
    public static final int WR_MR_INTERLEAVED = 16;

    @CField(value = "wr_mr_list", size = 8)
    public static final int WR_MR_LIST = 24;

    @CField(value = "wr_mkey_configure", size = 8, since = 36)
    public static final int WR_MKEY_CONFIGURE = 32;

    @CField(value = "wr_set_mkey_access_flags", size = 8, since = 36)
    public static final int WR_SET_MKEY_ACCESS_FLAGS = 40;

    @CField(value = "wr_set_mkey_layout_list", size = 8, since = 36)
    public static final int WR_SET_MKEY_LAYOUT_LIST = 48;

    @CField(value = "wr_set_mkey_layout_interleaved", size = 8, since = 36)
    public static final int WR_SET_MKEY_LAYOUT_INTERLEAVED = 56;

    @CField(value = "wr_set_mkey_sig_block", size = 8, since = 36)
    public static final int WR_SET_MKEY_SIG_BLOCK = 64;

    @CField(value = "wr_raw_wqe", size = 8, since = 36)
    public static final int WR_RAW_WQE = 72;

    @CField(value = "wr_memcpy", size = 8, since = 37)
    public static final int WR_MEMCPY = 88;

    private DvQpExLayout() {}
}
