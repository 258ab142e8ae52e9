/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_flow_matcher_attr}: what a matcher is made of.
 *
 * <pre>
 * 0 type(4)  4 flags(4)  8 priority(2)  10 match_criteria_enable(1)  16 match_mask(8)  24 comp_mask(8)  32
 * ft_type(4)  36 ib_port(4)@57    40 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_flow_matcher_attr", header = "infiniband/mlx5dv.h")
public final class DvFlowMatcherAttrLayout {
    @CSize(size = 40)
    public static final int SIZEOF = 40;

    @CField(value = "type", size = 4)
    public static final int TYPE = 0;

    @CField(value = "flags", size = 4)
    public static final int FLAGS = 4;

    @CField(value = "priority", size = 2)
    public static final int PRIORITY = 8;

    @CField(value = "match_criteria_enable", size = 1)
    public static final int MATCH_CRITERIA_ENABLE = 10;

    @CField(value = "match_mask", size = 8)
    public static final int MATCH_MASK = 16;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 24;

    @CField(value = "ft_type", size = 4)
    public static final int FT_TYPE = 32;

    @CField(value = "ib_port", size = 4, since = 57)
    public static final int IB_PORT = 36;

    private DvFlowMatcherAttrLayout() {}
}
