/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_query_qp_attr}: where the rings of a queue pair are.
 *
 * <pre>
 * 0 qp_num(4)  8 swq_cpu_addr(8)  16 rwq_cpu_addr(8)    24 in all
 * </pre>
 */
public final class QueryQpAttrLayout {
    public static final int SIZEOF = 24;
    public static final int QP_NUM = 0;
    public static final int SWQ_CPU_ADDR = 8;
    public static final int RWQ_CPU_ADDR = 16;

    private QueryQpAttrLayout() {}
}
