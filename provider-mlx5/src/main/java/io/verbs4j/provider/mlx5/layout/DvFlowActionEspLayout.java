/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_flow_action_esp}: what mlx5 knows of IPsec beyond the verbs.
 *
 * <pre>
 * 0 comp_mask(8)  8 action_flags(4)    16 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_flow_action_esp", header = "infiniband/mlx5dv.h")
public final class DvFlowActionEspLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "action_flags", size = 4)
    public static final int ACTION_FLAGS = 8;

    private DvFlowActionEspLayout() {}
}
