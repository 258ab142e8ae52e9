/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_devx_uar}: a page of registers.
 *
 * <pre>
 * 0 reg_addr(8)  8 base_addr(8)  16 page_id(4)  24 mmap_off(8)  32 comp_mask(8)    40 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_devx_uar", header = "infiniband/mlx5dv.h", since = 21)
public final class DvDevxUarLayout {
    @CSize(size = 40)
    public static final int SIZEOF = 40;

    @CField(value = "reg_addr", size = 8)
    public static final int REG_ADDR = 0;

    @CField(value = "base_addr", size = 8)
    public static final int BASE_ADDR = 8;

    @CField(value = "page_id", size = 4)
    public static final int PAGE_ID = 16;

    @CField(value = "mmap_off", size = 8)
    public static final int MMAP_OFF = 24;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 32;

    private DvDevxUarLayout() {}
}
