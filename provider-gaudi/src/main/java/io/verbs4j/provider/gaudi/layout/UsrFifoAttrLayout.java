/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_usr_fifo_attr}: what a FIFO is made of.
 *
 * <pre>
 * 0 port_num(4)  4 base_sob_addr(4)  8 num_sobs(4)  12 usr_fifo_num_hint(4)  16 usr_fifo_type(4)  20 dir_dup_mask(1)    24 in all
 * </pre>
 */
public final class UsrFifoAttrLayout {
    public static final int SIZEOF = 24;
    public static final int PORT_NUM = 0;
    public static final int BASE_SOB_ADDR = 4;
    public static final int NUM_SOBS = 8;
    public static final int USR_FIFO_NUM_HINT = 12;
    public static final int USR_FIFO_TYPE = 16;
    public static final int DIR_DUP_MASK = 20;

    private UsrFifoAttrLayout() {}
}
