/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_query_cq_attr}: where a completion queue is.
 *
 * <pre>
 * 0 ibvcq(8)  8 mem_cpu_addr(8)  16 pi_cpu_addr(8)  24 regs_cpu_addr(8)  32 cq_size(4)  36 cq_num(4)
 * 40 regs_offset(4)  44 cq_type(4)    48 in all
 * </pre>
 */
@CStruct(value = "struct hbldv_query_cq_attr", header = "infiniband/hbldv.h")
public final class QueryCqAttrLayout {
    @CSize(size = 48)
    public static final int SIZEOF = 48;

    @CField(value = "ibvcq", size = 8)
    public static final int IBVCQ = 0;

    @CField(value = "mem_cpu_addr", size = 8)
    public static final int MEM_CPU_ADDR = 8;

    @CField(value = "pi_cpu_addr", size = 8)
    public static final int PI_CPU_ADDR = 16;

    @CField(value = "regs_cpu_addr", size = 8)
    public static final int REGS_CPU_ADDR = 24;

    @CField(value = "cq_size", size = 4)
    public static final int CQ_SIZE = 32;

    @CField(value = "cq_num", size = 4)
    public static final int CQ_NUM = 36;

    @CField(value = "regs_offset", size = 4)
    public static final int REGS_OFFSET = 40;

    @CField(value = "cq_type", size = 4)
    public static final int CQ_TYPE = 44;

    private QueryCqAttrLayout() {}
}
