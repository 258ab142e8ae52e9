/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_dr_action_dest_reformat}: a destination, and what is done with the frame before.
 *
 * <pre>
 * 0 reformat(8)  8 dest(8)    16 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_dr_action_dest_reformat", header = "infiniband/mlx5dv.h", since = 32)
public final class DvDrActionDestReformatLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "reformat", size = 8)
    public static final int REFORMAT = 0;

    @CField(value = "dest", size = 8)
    public static final int DEST = 8;

    private DvDrActionDestReformatLayout() {}
}
