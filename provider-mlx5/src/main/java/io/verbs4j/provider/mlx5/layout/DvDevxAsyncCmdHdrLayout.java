/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_devx_async_cmd_hdr}: what an answer to a command begins with; the output of the command follows.
 *
 * <pre>
 * 0 wr_id(8)  8 out_data    8 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_devx_async_cmd_hdr", header = "infiniband/mlx5dv.h", since = 23)
public final class DvDevxAsyncCmdHdrLayout {
    @CSize(size = 8)
    public static final int SIZEOF = 8;

    @CField(value = "wr_id", size = 8)
    public static final int WR_ID = 0;

    private DvDevxAsyncCmdHdrLayout() {}
}
