/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_dr_action_dest_attr}: one destination of several. The members of the union begin at 8.
 *
 * <pre>
 * 0 type(4)  8 dest(8)  8 dest_reformat(8)    16 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_dr_action_dest_attr", header = "infiniband/mlx5dv.h", since = 32)
public final class DvDrActionDestAttrLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "type", size = 4)
    public static final int TYPE = 0;

    @CField(value = "dest", size = 8)
    public static final int DEST = 8;

    @CField(value = "dest_reformat", size = 8)
    public static final int DEST_REFORMAT = 8;

    private DvDrActionDestAttrLayout() {}
}
