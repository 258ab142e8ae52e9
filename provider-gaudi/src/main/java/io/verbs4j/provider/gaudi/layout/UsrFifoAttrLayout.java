/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_usr_fifo_attr}: what a FIFO is made of.
 *
 * <pre>
 * 0 port_num(4)  4 base_sob_addr(4)  8 num_sobs(4)  12 usr_fifo_num_hint(4)  16 usr_fifo_type(4)  20 dir_dup_mask(1)    24 in all
 * </pre>
 */
@CStruct(value = "struct hbldv_usr_fifo_attr", header = "infiniband/hbldv.h")
public final class UsrFifoAttrLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "port_num", size = 4)
    public static final int PORT_NUM = 0;

    @CField(value = "base_sob_addr", size = 4)
    public static final int BASE_SOB_ADDR = 4;

    @CField(value = "num_sobs", size = 4)
    public static final int NUM_SOBS = 8;

    @CField(value = "usr_fifo_num_hint", size = 4)
    public static final int USR_FIFO_NUM_HINT = 12;

    @CField(value = "usr_fifo_type", size = 4)
    public static final int USR_FIFO_TYPE = 16;

    @CField(value = "dir_dup_mask", size = 1)
    public static final int DIR_DUP_MASK = 20;

    private UsrFifoAttrLayout() {}
}
