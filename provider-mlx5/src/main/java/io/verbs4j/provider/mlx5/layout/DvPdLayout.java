/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_pd}: the number of a protection domain.
 *
 * <pre>
 * 0 pdn(4)  8 comp_mask(8)    16 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_pd", header = "infiniband/mlx5dv.h", since = 21)
public final class DvPdLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "pdn", size = 4)
    public static final int PDN = 0;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 8;

    private DvPdLayout() {}
}
