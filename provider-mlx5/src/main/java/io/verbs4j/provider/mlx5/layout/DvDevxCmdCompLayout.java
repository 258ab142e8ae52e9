/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_devx_cmd_comp}: a channel for answers to commands.
 *
 * <pre>
 * 0 fd(4)    4 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_devx_cmd_comp", header = "infiniband/mlx5dv.h", since = 23)
public final class DvDevxCmdCompLayout {
    @CSize(size = 4)
    public static final int SIZEOF = 4;

    @CField(value = "fd", size = 4)
    public static final int FD = 0;

    private DvDevxCmdCompLayout() {}
}
