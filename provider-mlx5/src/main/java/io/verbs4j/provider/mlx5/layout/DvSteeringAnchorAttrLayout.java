/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_steering_anchor_attr}: where an anchor points to.
 *
 * <pre>
 * 0 ft_type(4)  4 priority(2)  8 comp_mask(8)    16 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_steering_anchor_attr", header = "infiniband/mlx5dv.h", since = 42)
public final class DvSteeringAnchorAttrLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "ft_type", size = 4)
    public static final int FT_TYPE = 0;

    @CField(value = "priority", size = 2)
    public static final int PRIORITY = 4;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 8;

    private DvSteeringAnchorAttrLayout() {}
}
