/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_qp}: the rings of a queue pair.
 *
 * <pre>
 * 0 dbrec(8)  8 sq.buf(8)  16 sq.wqe_cnt(4)  20 sq.stride(4)  24 rq.buf(8)  32 rq.wqe_cnt(4)  36 rq.stride(4)
 * 40 bf.reg(8)  48 bf.size(4)  56 comp_mask(8)  64 uar_mmap_offset(8)  72 tirn(4)  76 tisn(4)  80 rqn(4)  84 sqn(4)
 * 88 tir_icm_addr(8)    96 in all
 * in all, by release: 64 from 13, 72 from 15, 88 from 21, 96 from 24
 * </pre>
 */
@CStruct(value = "struct mlx5dv_qp", header = "infiniband/mlx5dv.h")
public final class DvQpLayout {
    @CSize(size = 64)
    @CSize(since = 15, size = 72)
    @CSize(since = 21, size = 88)
    @CSize(since = 24, size = 96)
    public static final int SIZEOF = 96;

    @CField(value = "dbrec", size = 8)
    public static final int DBREC = 0;

    @CField(value = "sq.buf", size = 8)
    public static final int SQ_BUF = 8;

    @CField(value = "sq.wqe_cnt", size = 4)
    public static final int SQ_WQE_CNT = 16;

    @CField(value = "sq.stride", size = 4)
    public static final int SQ_STRIDE = 20;

    @CField(value = "rq.buf", size = 8)
    public static final int RQ_BUF = 24;

    @CField(value = "rq.wqe_cnt", size = 4)
    public static final int RQ_WQE_CNT = 32;

    @CField(value = "rq.stride", size = 4)
    public static final int RQ_STRIDE = 36;

    @CField(value = "bf.reg", size = 8)
    public static final int BF_REG = 40;

    @CField(value = "bf.size", size = 4)
    public static final int BF_SIZE = 48;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 56;

    @CField(value = "uar_mmap_offset", size = 8, since = 15)
    public static final int UAR_MMAP_OFFSET = 64;

    @CField(value = "tirn", size = 4, since = 21)
    public static final int TIRN = 72;

    @CField(value = "tisn", size = 4, since = 21)
    public static final int TISN = 76;

    @CField(value = "rqn", size = 4, since = 21)
    public static final int RQN = 80;

    @CField(value = "sqn", size = 4, since = 21)
    public static final int SQN = 84;

    @CField(value = "tir_icm_addr", size = 8, since = 24)
    public static final int TIR_ICM_ADDR = 88;

    private DvQpLayout() {}
}
