/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_dr_matcher_layout}: how a matcher lays out its rules.
 *
 * <pre>
 * 0 flags(4)  4 log_num_of_rules_hint(4)    8 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_dr_matcher_layout", header = "infiniband/mlx5dv.h", since = 37)
public final class DvDrMatcherLayoutLayout {
    @CSize(size = 8)
    public static final int SIZEOF = 8;

    @CField(value = "flags", size = 4)
    public static final int FLAGS = 0;

    @CField(value = "log_num_of_rules_hint", size = 4)
    public static final int LOG_NUM_OF_RULES_HINT = 4;

    private DvDrMatcherLayoutLayout() {}
}
