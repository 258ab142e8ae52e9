/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_cq}: the ring of a completion queue.
 *
 * <pre>
 * 0 buf(8)  8 dbrec(8)  16 cqe_cnt(4)  20 cqe_size(4)  24 cq_uar(8)  32 cqn(4)  40 comp_mask(8)    48 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_cq", header = "infiniband/mlx5dv.h")
public final class DvCqLayout {
    @CSize(size = 48)
    public static final int SIZEOF = 48;

    @CField(value = "buf", size = 8)
    public static final int BUF = 0;

    @CField(value = "dbrec", size = 8)
    public static final int DBREC = 8;

    @CField(value = "cqe_cnt", size = 4)
    public static final int CQE_CNT = 16;

    @CField(value = "cqe_size", size = 4)
    public static final int CQE_SIZE = 20;

    @CField(value = "cq_uar", size = 8, since = 15)
    public static final int CQ_UAR = 24;

    @CField(value = "cqn", size = 4)
    public static final int CQN = 32;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 40;

    private DvCqLayout() {}
}
