/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_mkey_conf_attr}: how a memory key is changed.
 *
 * <pre>
 * 0 conf_flags(4)    16 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_mkey_conf_attr", header = "infiniband/mlx5dv.h", since = 36)
public final class DvMkeyConfAttrLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "conf_flags", size = 4)
    public static final int CONF_FLAGS = 0;

    private DvMkeyConfAttrLayout() {}
}
