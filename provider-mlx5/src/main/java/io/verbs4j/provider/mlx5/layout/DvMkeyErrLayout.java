/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_mkey_err}: a wrong signature.
 *
 * <pre>
 * 0 err_type(4)  8 err.sig.actual_value(8)  16 err.sig.expected_value(8)  24 err.sig.offset(8)    32 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_mkey_err", header = "infiniband/mlx5dv.h", since = 36)
public final class DvMkeyErrLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "err_type", size = 4)
    public static final int ERR_TYPE = 0;

    @CField(value = "err.sig.actual_value", size = 8)
    public static final int ERR_SIG_ACTUAL_VALUE = 8;

    @CField(value = "err.sig.expected_value", size = 8)
    public static final int ERR_SIG_EXPECTED_VALUE = 16;

    @CField(value = "err.sig.offset", size = 8)
    public static final int ERR_SIG_OFFSET = 24;

    private DvMkeyErrLayout() {}
}
