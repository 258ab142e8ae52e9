/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_obj}: which objects are asked about, and where the answers go.
 *
 * <pre>
 * 0 qp.in(8)  8 qp.out(8)  16 cq.in(8)  24 cq.out(8)  32 srq.in(8)  40 srq.out(8)  48 rwq.in(8)  56 rwq.out(8)
 * 80 ah.in(8)  88 ah.out(8)  96 pd.in(8)  104 pd.out(8)    128 in all
 * in all, by release: 64 from 13, 80 from 18, 96 from 20, 112 from 21, 128 from 54
 * </pre>
 */
@CStruct(value = "struct mlx5dv_obj", header = "infiniband/mlx5dv.h")
public final class DvObjLayout {
    @CSize(size = 64)
    @CSize(since = 18, size = 80)
    @CSize(since = 20, size = 96)
    @CSize(since = 21, size = 112)
    @CSize(since = 54, size = 128)
    public static final int SIZEOF = 128;

    @CField(value = "qp.in", size = 8)
    public static final int QP_IN = 0;

    @CField(value = "qp.out", size = 8)
    public static final int QP_OUT = 8;

    @CField(value = "cq.in", size = 8)
    public static final int CQ_IN = 16;

    @CField(value = "cq.out", size = 8)
    public static final int CQ_OUT = 24;

    @CField(value = "srq.in", size = 8)
    public static final int SRQ_IN = 32;

    @CField(value = "srq.out", size = 8)
    public static final int SRQ_OUT = 40;

    @CField(value = "rwq.in", size = 8)
    public static final int RWQ_IN = 48;

    @CField(value = "rwq.out", size = 8)
    public static final int RWQ_OUT = 56;

    @CField(value = "ah.in", size = 8, since = 20)
    public static final int AH_IN = 80;

    @CField(value = "ah.out", size = 8, since = 20)
    public static final int AH_OUT = 88;

    @CField(value = "pd.in", size = 8, since = 21)
    public static final int PD_IN = 96;

    @CField(value = "pd.out", size = 8, since = 21)
    public static final int PD_OUT = 104;

    private DvObjLayout() {}
}
