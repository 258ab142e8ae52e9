/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_qp_attach_comp_cntr_attr}: what of a queue pair is counted.
 *
 * <pre>
 * 0 comp_mask(4)  4 op_mask(4)    8 in all
 * </pre>
 */
@CStruct(value = "struct ibv_qp_attach_comp_cntr_attr", header = "infiniband/verbs.h", since = 65)
public final class QpAttachCompCntrAttrLayout {
    @CSize(size = 8)
    public static final int SIZEOF = 8;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 0;

    @CField(value = "op_mask", size = 4)
    public static final int OP_MASK = 4;

    private QpAttachCompCntrAttrLayout() {}
}
