/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_devx_umem}: memory that commands may name.
 *
 * <pre>
 * 0 umem_id(4)    4 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_devx_umem", header = "infiniband/mlx5dv.h", since = 21)
public final class DvDevxUmemLayout {
    @CSize(size = 4)
    public static final int SIZEOF = 4;

    @CField(value = "umem_id", size = 4)
    public static final int UMEM_ID = 0;

    private DvDevxUmemLayout() {}
}
