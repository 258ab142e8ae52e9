/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_coll_qp}: a number that is reserved.
 *
 * <pre>
 * 0 qp_num(4)    4 in all
 * </pre>
 */
@CStruct(value = "struct hbldv_coll_qp", header = "infiniband/hbldv.h")
public final class CollQpLayout {
    @CSize(size = 4)
    public static final int SIZEOF = 4;

    @CField(value = "qp_num", size = 4)
    public static final int QP_NUM = 0;

    private CollQpLayout() {}
}
