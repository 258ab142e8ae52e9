/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_port_ex_attr}: how a port is set up, with five {@link WqArrayAttrLayout} in front.
 *
 * <pre>
 * 0 wq_arr_attr(80)  80 caps(8)  88 qp_wq_bp_offs(64)  152 atomic_fna_fifo_offs(8)  160 port_num(4)
 * 164 atomic_fna_mask_size(1)    168 in all
 * </pre>
 */
public final class PortExAttrLayout {
    public static final int SIZEOF = 168;
    public static final int WQ_ARR_ATTR = 0;
    public static final int CAPS = 80;
    public static final int QP_WQ_BP_OFFS = 88;
    public static final int ATOMIC_FNA_FIFO_OFFS = 152;
    public static final int PORT_NUM = 160;
    public static final int ATOMIC_FNA_MASK_SIZE = 164;

    private PortExAttrLayout() {}
}
