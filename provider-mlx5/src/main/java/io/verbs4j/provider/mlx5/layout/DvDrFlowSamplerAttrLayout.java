/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_dr_flow_sampler_attr}: what a sampler is made of.
 *
 * <pre>
 * 0 sample_ratio(4)  8 default_next_table(8)  16 num_sample_actions(4)  24 sample_actions(8)  32 action(8)    40
 * in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_dr_flow_sampler_attr", header = "infiniband/mlx5dv.h", since = 32)
public final class DvDrFlowSamplerAttrLayout {
    @CSize(size = 40)
    public static final int SIZEOF = 40;

    @CField(value = "sample_ratio", size = 4)
    public static final int SAMPLE_RATIO = 0;

    @CField(value = "default_next_table", size = 8)
    public static final int DEFAULT_NEXT_TABLE = 8;

    @CField(value = "num_sample_actions", size = 4)
    public static final int NUM_SAMPLE_ACTIONS = 16;

    @CField(value = "sample_actions", size = 8)
    public static final int SAMPLE_ACTIONS = 24;

    @CField(value = "action", size = 8)
    public static final int ACTION = 32;

    private DvDrFlowSamplerAttrLayout() {}
}
