/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_qp_init_attr}: what a queue pair is made of; its {@code cap} is a {@link QpCapLayout}.
 *
 * <pre>
 * 0 qp_context(8)  8 send_cq(8)  16 recv_cq(8)  24 srq(8)  32 cap(20)  52 qp_type(4)  56 sq_sig_all(4)    64 in all
 * </pre>
 */
@CStruct("struct ibv_qp_init_attr")
public final class QpInitAttrLayout {
    @CSize(size = 64)
    public static final int SIZEOF = 64;

    @CField(value = "qp_context", size = 8)
    public static final int QP_CONTEXT = 0;

    @CField(value = "send_cq", size = 8)
    public static final int SEND_CQ = 8;

    @CField(value = "recv_cq", size = 8)
    public static final int RECV_CQ = 16;

    @CField(value = "srq", size = 8)
    public static final int SRQ = 24;

    @CField(value = "cap", size = 20)
    public static final int CAP = 32;

    @CField(value = "qp_type", size = 4)
    public static final int QP_TYPE = 52;

    @CField(value = "sq_sig_all", size = 4)
    public static final int SQ_SIG_ALL = 56;

    private QpInitAttrLayout() {}
}
