/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_query_qp_attr}: where the rings of a queue pair are.
 *
 * <pre>
 * 0 qp_num(4)  8 swq_cpu_addr(8)  16 rwq_cpu_addr(8)    24 in all
 * </pre>
 */
@CStruct(value = "struct hbldv_query_qp_attr", header = "infiniband/hbldv.h")
public final class QueryQpAttrLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "qp_num", size = 4)
    public static final int QP_NUM = 0;

    @CField(value = "swq_cpu_addr", size = 8)
    public static final int SWQ_CPU_ADDR = 8;

    @CField(value = "rwq_cpu_addr", size = 8)
    public static final int RWQ_CPU_ADDR = 16;

    private QueryQpAttrLayout() {}
}
