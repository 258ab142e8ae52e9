/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_export_sizes}: how long objects are as bytes.
 *
 * <pre>
 * 0 var_attrs_size(4)  4 devx_umem_attrs_size(4)  8 devx_obj_attrs_size(4)    12 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_export_sizes", header = "infiniband/mlx5dv.h", since = 63)
public final class DvExportSizesLayout {
    @CSize(size = 12)
    public static final int SIZEOF = 12;

    @CField(value = "var_attrs_size", size = 4)
    public static final int VAR_ATTRS_SIZE = 0;

    @CField(value = "devx_umem_attrs_size", size = 4)
    public static final int DEVX_UMEM_ATTRS_SIZE = 4;

    @CField(value = "devx_obj_attrs_size", size = 4)
    public static final int DEVX_OBJ_ATTRS_SIZE = 8;

    private DvExportSizesLayout() {}
}
