/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_usr_fifo}: a FIFO.
 *
 * <pre>
 * 0 ci_cpu_addr(8)  8 regs_cpu_addr(8)  16 regs_offset(4)  20 usr_fifo_num(4)  24 size(4)  28 bp_thresh(4)    32 in all
 * </pre>
 */
@CStruct(value = "struct hbldv_usr_fifo", header = "infiniband/hbldv.h")
public final class UsrFifoLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "ci_cpu_addr", size = 8)
    public static final int CI_CPU_ADDR = 0;

    @CField(value = "regs_cpu_addr", size = 8)
    public static final int REGS_CPU_ADDR = 8;

    @CField(value = "regs_offset", size = 4)
    public static final int REGS_OFFSET = 16;

    @CField(value = "usr_fifo_num", size = 4)
    public static final int USR_FIFO_NUM = 20;

    @CField(value = "size", size = 4)
    public static final int SIZE = 24;

    @CField(value = "bp_thresh", size = 4)
    public static final int BP_THRESH = 28;

    private UsrFifoLayout() {}
}
