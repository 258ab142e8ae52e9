/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct hbldv_port_ex_attr}: how a port is set up, with five {@link WqArrayAttrLayout} in front.
 *
 * <pre>
 * 0 wq_arr_attr(80)  80 caps(8)  88 qp_wq_bp_offs(64)  152 atomic_fna_fifo_offs(8)  160 port_num(4)
 * 164 atomic_fna_mask_size(1)    168 in all
 * </pre>
 */
@CStruct(value = "struct hbldv_port_ex_attr", header = "infiniband/hbldv.h")
public final class PortExAttrLayout {
    @CSize(size = 168)
    public static final int SIZEOF = 168;

    @CField(value = "wq_arr_attr", size = 80)
    public static final int WQ_ARR_ATTR = 0;

    @CField(value = "caps", size = 8)
    public static final int CAPS = 80;

    @CField(value = "qp_wq_bp_offs", size = 64)
    public static final int QP_WQ_BP_OFFS = 88;

    @CField(value = "atomic_fna_fifo_offs", size = 8)
    public static final int ATOMIC_FNA_FIFO_OFFS = 152;

    @CField(value = "port_num", size = 4)
    public static final int PORT_NUM = 160;

    @CField(value = "atomic_fna_mask_size", size = 1)
    public static final int ATOMIC_FNA_MASK_SIZE = 164;

    private PortExAttrLayout() {}
}
