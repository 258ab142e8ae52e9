/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_rwq}: the ring of a work queue.
 *
 * <pre>
 * 0 buf(8)  8 dbrec(8)  16 wqe_cnt(4)  20 stride(4)    32 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_rwq", header = "infiniband/mlx5dv.h")
public final class DvRwqLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "buf", size = 8)
    public static final int BUF = 0;

    @CField(value = "dbrec", size = 8)
    public static final int DBREC = 8;

    @CField(value = "wqe_cnt", size = 4)
    public static final int WQE_CNT = 16;

    @CField(value = "stride", size = 4)
    public static final int STRIDE = 20;

    private DvRwqLayout() {}
}
