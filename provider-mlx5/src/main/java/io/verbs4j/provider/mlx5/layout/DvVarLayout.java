/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_var}: a page of virtio doorbells.
 *
 * <pre>
 * 0 page_id(4)  4 length(4)  8 mmap_off(8)  16 comp_mask(8)    24 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_var", header = "infiniband/mlx5dv.h", since = 28)
public final class DvVarLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "page_id", size = 4)
    public static final int PAGE_ID = 0;

    @CField(value = "length", size = 4)
    public static final int LENGTH = 4;

    @CField(value = "mmap_off", size = 8)
    public static final int MMAP_OFF = 8;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 16;

    private DvVarLayout() {}
}
