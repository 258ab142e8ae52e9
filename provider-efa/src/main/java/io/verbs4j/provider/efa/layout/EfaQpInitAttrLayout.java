/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct efadv_qp_init_attr}: what a queue pair is made of beyond the verbs.
 *
 * <pre>
 * 0 comp_mask(8)  8 driver_qp_type(4)  12 flags(2)  14 sl(1)  16 wr_flags(8)    24 in all
 * in all, by release: 16 from 26, 24 from 64
 * </pre>
 */
@CStruct(value = "struct efadv_qp_init_attr", header = "infiniband/efadv.h", since = 26)
public final class EfaQpInitAttrLayout {
    @CSize(size = 16)
    @CSize(since = 64, size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 0;

    @CField(value = "driver_qp_type", size = 4)
    public static final int DRIVER_QP_TYPE = 8;

    @CField(value = "flags", size = 2, since = 52)
    public static final int FLAGS = 12;

    @CField(value = "sl", size = 1, since = 55)
    public static final int SL = 14;

    @CField(value = "wr_flags", size = 8, since = 64)
    public static final int WR_FLAGS = 16;

    private EfaQpInitAttrLayout() {}
}
