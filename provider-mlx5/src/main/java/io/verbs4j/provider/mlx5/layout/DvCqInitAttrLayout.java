/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_cq_init_attr}: what a completion queue is made of beyond the verbs.
 *
 * <pre>
 * 0 comp_mask(8)  8 cqe_comp_res_format(1)  12 flags(4)  16 cqe_size(2)    24 in all
 * in all, by release: 16 from 14, 24 from 21
 * </pre>
 */
@CStruct(value = "struct mlx5dv_cq_init_attr", header = "infiniband/mlx5dv.h", since = 14)
public final class DvCqInitAttrLayout {
    @CSize(size = 16)
    @CSize(since = 21, size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "cqe_comp_res_format", size = 1)
    public static final int CQE_COMP_RES_FORMAT = 8;

    @CField(value = "flags", size = 4, since = 16)
    public static final int FLAGS = 12;

    @CField(value = "cqe_size", size = 2, since = 21)
    public static final int CQE_SIZE = 16;

    private DvCqInitAttrLayout() {}
}
