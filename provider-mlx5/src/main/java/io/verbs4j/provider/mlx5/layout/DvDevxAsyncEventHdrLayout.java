/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_devx_async_event_hdr}: what an event begins with; its data follow.
 *
 * <pre>
 * 0 cookie(8)  8 out_data    8 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_devx_async_event_hdr", header = "infiniband/mlx5dv.h", since = 25)
public final class DvDevxAsyncEventHdrLayout {
    @CSize(size = 8)
    public static final int SIZEOF = 8;

    @CField(value = "cookie", size = 8)
    public static final int COOKIE = 0;

    private DvDevxAsyncEventHdrLayout() {}
}
