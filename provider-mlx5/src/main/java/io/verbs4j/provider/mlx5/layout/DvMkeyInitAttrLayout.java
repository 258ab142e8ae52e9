/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_mkey_init_attr}: how a memory key is made.
 *
 * <pre>
 * 0 pd(8)  8 create_flags(4)  12 max_entries(2) pad(2)    16 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_mkey_init_attr", header = "infiniband/mlx5dv.h", since = 24)
public final class DvMkeyInitAttrLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "pd", size = 8)
    public static final int PD = 0;

    @CField(value = "create_flags", size = 4)
    public static final int CREATE_FLAGS = 8;

    @CField(value = "max_entries", size = 2)
    public static final int MAX_ENTRIES = 12;

    private DvMkeyInitAttrLayout() {}
}
