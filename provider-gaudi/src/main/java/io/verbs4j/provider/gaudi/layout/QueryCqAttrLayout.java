/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_query_cq_attr}: where a completion queue is.
 *
 * <pre>
 * 0 ibvcq(8)  8 mem_cpu_addr(8)  16 pi_cpu_addr(8)  24 regs_cpu_addr(8)  32 cq_size(4)  36 cq_num(4)
 * 40 regs_offset(4)  44 cq_type(4)    48 in all
 * </pre>
 */
public final class QueryCqAttrLayout {
    public static final int SIZEOF = 48;
    public static final int IBVCQ = 0;
    public static final int MEM_CPU_ADDR = 8;
    public static final int PI_CPU_ADDR = 16;
    public static final int REGS_CPU_ADDR = 24;
    public static final int CQ_SIZE = 32;
    public static final int CQ_NUM = 36;
    public static final int REGS_OFFSET = 40;
    public static final int CQ_TYPE = 44;

    private QueryCqAttrLayout() {}
}
