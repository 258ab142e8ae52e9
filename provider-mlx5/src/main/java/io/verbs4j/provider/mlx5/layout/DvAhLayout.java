/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_ah}: the address vector of an address handle.
 *
 * <pre>
 * 0 av(8)  8 comp_mask(8)    16 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_ah", header = "infiniband/mlx5dv.h", since = 20)
public final class DvAhLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "av", size = 8)
    public static final int AV = 0;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 8;

    private DvAhLayout() {}
}
