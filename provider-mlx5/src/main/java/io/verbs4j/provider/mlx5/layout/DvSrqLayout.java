/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_srq}: the ring of a shared receive queue.
 *
 * <pre>
 * 0 buf(8)  8 dbrec(8)  16 stride(4)  20 head(4)  24 tail(4)  32 comp_mask(8)  40 srqn(4)    48 in all
 * in all, by release: 40 from 13, 48 from 21
 * </pre>
 */
@CStruct(value = "struct mlx5dv_srq", header = "infiniband/mlx5dv.h")
public final class DvSrqLayout {
    @CSize(size = 40)
    @CSize(since = 21, size = 48)
    public static final int SIZEOF = 48;

    @CField(value = "buf", size = 8)
    public static final int BUF = 0;

    @CField(value = "dbrec", size = 8)
    public static final int DBREC = 8;

    @CField(value = "stride", size = 4)
    public static final int STRIDE = 16;

    @CField(value = "head", size = 4)
    public static final int HEAD = 20;

    @CField(value = "tail", size = 4)
    public static final int TAIL = 24;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 32;

    @CField(value = "srqn", size = 4, since = 21)
    public static final int SRQN = 40;

    private DvSrqLayout() {}
}
