/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_flow_match_parameters}: which bits of headers count, or what they must be. The bits follow.
 *
 * <pre>
 * 0 match_sz(8)    8 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_flow_match_parameters", header = "infiniband/mlx5dv.h")
public final class DvFlowMatchParametersLayout {
    @CSize(size = 8)
    public static final int SIZEOF = 8;

    @CField(value = "match_sz", size = 8)
    public static final int MATCH_SZ = 0;

    private DvFlowMatchParametersLayout() {}
}
