/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_coll_qp_attr}: which numbers are reserved.
 *
 * <pre>
 * 0 is_scale_out(1)  8 ports_mask(8)    16 in all
 * 1 before 1.21, which do not read ports_mask
 * </pre>
 */
@CStruct(value = "struct hbldv_coll_qp_attr", header = "infiniband/hbldv.h")
public final class CollQpAttrLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "is_scale_out", size = 1)
    public static final int IS_SCALE_OUT = 0;

    @CField(value = "ports_mask", size = 8)
    public static final int PORTS_MASK = 8;

    private CollQpAttrLayout() {}
}
