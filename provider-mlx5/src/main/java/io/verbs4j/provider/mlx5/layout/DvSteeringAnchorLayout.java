/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_steering_anchor}: an anchor.
 *
 * <pre>
 * 0 id(4)    4 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_steering_anchor", header = "infiniband/mlx5dv.h", since = 42)
public final class DvSteeringAnchorLayout {
    @CSize(size = 4)
    public static final int SIZEOF = 4;

    @CField(value = "id", size = 4)
    public static final int ID = 0;

    private DvSteeringAnchorLayout() {}
}
