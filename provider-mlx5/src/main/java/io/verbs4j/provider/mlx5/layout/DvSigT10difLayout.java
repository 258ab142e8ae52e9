/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_sig_t10dif}: a signature of blocks by T10-DIF.
 *
 * <pre>
 * 0 bg_type(4)  4 bg(2)  6 app_tag(2)  8 ref_tag(4)  12 flags(2)    16 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_sig_t10dif", header = "infiniband/mlx5dv.h", since = 36)
public final class DvSigT10difLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "bg_type", size = 4)
    public static final int BG_TYPE = 0;

    @CField(value = "bg", size = 2)
    public static final int BG = 4;

    @CField(value = "app_tag", size = 2)
    public static final int APP_TAG = 6;

    @CField(value = "ref_tag", size = 4)
    public static final int REF_TAG = 8;

    @CField(value = "flags", size = 2)
    public static final int FLAGS = 12;

    private DvSigT10difLayout() {}
}
