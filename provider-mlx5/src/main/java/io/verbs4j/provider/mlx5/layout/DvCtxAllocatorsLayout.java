/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_ctx_allocators}: who gives memory for rings.
 *
 * <pre>
 * 0 alloc(8)  8 free(8)  16 data(8)    24 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_ctx_allocators", header = "infiniband/mlx5dv.h", since = 15)
public final class DvCtxAllocatorsLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "alloc", size = 8)
    public static final int ALLOC = 0;

    @CField(value = "free", size = 8)
    public static final int FREE = 8;

    @CField(value = "data", size = 8)
    public static final int DATA = 16;

    private DvCtxAllocatorsLayout() {}
}
