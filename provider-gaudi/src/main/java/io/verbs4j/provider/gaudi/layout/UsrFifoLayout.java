/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_usr_fifo}: a FIFO.
 *
 * <pre>
 * 0 ci_cpu_addr(8)  8 regs_cpu_addr(8)  16 regs_offset(4)  20 usr_fifo_num(4)  24 size(4)  28 bp_thresh(4)    32 in all
 * </pre>
 */
public final class UsrFifoLayout {
    public static final int SIZEOF = 32;
    public static final int CI_CPU_ADDR = 0;
    public static final int REGS_CPU_ADDR = 8;
    public static final int REGS_OFFSET = 16;
    public static final int USR_FIFO_NUM = 20;
    public static final int SIZE = 24;
    public static final int BP_THRESH = 28;

    private UsrFifoLayout() {}
}
