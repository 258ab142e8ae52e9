/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5_err_cqe}: a completion with an error; what is not here lies where {@link CqeLayout} has it.
 *
 * <pre>
 * 54 vendor_err_synd(1)  55 syndrome(1)    64 in all
 * </pre>
 */
@CStruct(value = "struct mlx5_err_cqe", header = "infiniband/mlx5dv.h")
public final class ErrCqeLayout {
    @CSize(size = 64)
    public static final int SIZEOF = 64;

    @CField(value = "vendor_err_synd", size = 1)
    public static final int VENDOR_ERR_SYND = 54;

    @CField(value = "syndrome", size = 1)
    public static final int SYNDROME = 55;

    private ErrCqeLayout() {}
}
