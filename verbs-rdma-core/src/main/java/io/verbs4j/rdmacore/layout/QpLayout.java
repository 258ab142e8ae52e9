/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_qp}: a queue pair.
 *
 * <pre>
 * 0 context(8)  8 qp_context(8)  16 pd(8)  24 send_cq(8)  32 recv_cq(8)  40 srq(8)  48 handle(4)  52 qp_num(4)
 * 56 state(4)  60 qp_type(4)    then lock, condition, count of events; 160 in all, 168 on aarch64
 * </pre>
 */
@CStruct("struct ibv_qp")
public final class QpLayout {
    @CIf("!defined(__aarch64__)")
    @CSize(size = 160)
    public static final int SIZEOF = 160;

    @CIf("defined(__aarch64__)")
    @CSize(size = 168)
    public static final int SIZEOF_AARCH64 = 168;

    @CField(value = "context", size = 8)
    public static final int CONTEXT = 0;

    @CField(value = "qp_context", size = 8)
    public static final int QP_CONTEXT = 8;

    @CField(value = "pd", size = 8)
    public static final int PD = 16;

    @CField(value = "send_cq", size = 8)
    public static final int SEND_CQ = 24;

    @CField(value = "recv_cq", size = 8)
    public static final int RECV_CQ = 32;

    @CField(value = "srq", size = 8)
    public static final int SRQ = 40;

    @CField(value = "handle", size = 4)
    public static final int HANDLE = 48;

    @CField(value = "qp_num", size = 4)
    public static final int QP_NUM = 52;

    @CField(value = "state", size = 4)
    public static final int STATE = 56;

    @CField(value = "qp_type", size = 4)
    public static final int QP_TYPE = 60;

    private QpLayout() {}
}
