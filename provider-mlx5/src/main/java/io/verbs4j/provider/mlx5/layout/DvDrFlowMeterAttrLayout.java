/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_dr_flow_meter_attr}: what a meter is made of.
 *
 * <pre>
 * 0 next_table(8)  8 active(1)  9 reg_c_index(1)  16 flow_meter_parameter_sz(8)  24 flow_meter_parameter(8)
 * 32 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_dr_flow_meter_attr", header = "infiniband/mlx5dv.h", since = 28)
public final class DvDrFlowMeterAttrLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "next_table", size = 8)
    public static final int NEXT_TABLE = 0;

    @CField(value = "active", size = 1)
    public static final int ACTIVE = 8;

    @CField(value = "reg_c_index", size = 1)
    public static final int REG_C_INDEX = 9;

    @CField(value = "flow_meter_parameter_sz", size = 8)
    public static final int FLOW_METER_PARAMETER_SZ = 16;

    @CField(value = "flow_meter_parameter", size = 8)
    public static final int FLOW_METER_PARAMETER = 24;

    private DvDrFlowMeterAttrLayout() {}
}
