/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_qp_open_attr}: which shared queue pair to open.
 *
 * <pre>
 * 0 comp_mask(4)  4 qp_num(4)  8 xrcd(8)  16 qp_context(8)  24 qp_type(4)    32 in all
 * </pre>
 */
@CStruct("struct ibv_qp_open_attr")
public final class QpOpenAttrLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 0;

    @CField(value = "qp_num", size = 4)
    public static final int QP_NUM = 4;

    @CField(value = "xrcd", size = 8)
    public static final int XRCD = 8;

    @CField(value = "qp_context", size = 8)
    public static final int QP_CONTEXT = 16;

    @CField(value = "qp_type", size = 4)
    public static final int QP_TYPE = 24;

    private QpOpenAttrLayout() {}
}
