/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_devx_msi_vector}: an interrupt.
 *
 * <pre>
 * 0 vector(4)  4 fd(4)    8 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_devx_msi_vector", header = "infiniband/mlx5dv.h", since = 40)
public final class DvDevxMsiVectorLayout {
    @CSize(size = 8)
    public static final int SIZEOF = 8;

    @CField(value = "vector", size = 4)
    public static final int VECTOR = 0;

    @CField(value = "fd", size = 4)
    public static final int FD = 4;

    private DvDevxMsiVectorLayout() {}
}
