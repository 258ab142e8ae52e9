/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_mkey}: a memory key.
 *
 * <pre>
 * 0 lkey(4) rkey(4)    8 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_mkey", header = "infiniband/mlx5dv.h", since = 24)
public final class DvMkeyLayout {
    @CSize(size = 8)
    public static final int SIZEOF = 8;

    @CField(value = "lkey", size = 4)
    public static final int LKEY = 0;

    @CField(value = "rkey", size = 4)
    public static final int RKEY = 4;

    private DvMkeyLayout() {}
}
