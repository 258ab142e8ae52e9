/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_devx_eq}: an event queue.
 *
 * <pre>
 * 0 vaddr(8)    8 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_devx_eq", header = "infiniband/mlx5dv.h", since = 40)
public final class DvDevxEqLayout {
    @CSize(size = 8)
    public static final int SIZEOF = 8;

    @CField(value = "vaddr", size = 8)
    public static final int VADDR = 0;

    private DvDevxEqLayout() {}
}
