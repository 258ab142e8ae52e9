/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_wq}: a work queue.
 *
 * <pre>
 * 0 context(8)  8 wq_context(8)  16 pd(8)  24 cq(8)  32 wq_num(4)  36 handle(4)  40 state(4)  44 wq_type(4)
 * 48 post_recv(8)    then lock, condition, count of events, comp_mask; 152 in all, 160 on aarch64
 * </pre>
 */
@CStruct("struct ibv_wq")
public final class WqLayout {
    @CIf("!defined(__aarch64__)")
    @CSize(size = 152)
    public static final int SIZEOF = 152;

    @CIf("defined(__aarch64__)")
    @CSize(size = 160)
    public static final int SIZEOF_AARCH64 = 160;

    @CField(value = "context", size = 8)
    public static final int CONTEXT = 0;

    @CField(value = "wq_context", size = 8)
    public static final int WQ_CONTEXT = 8;

    @CField(value = "pd", size = 8)
    public static final int PD = 16;

    @CField(value = "cq", size = 8)
    public static final int CQ = 24;

    @CField(value = "wq_num", size = 4)
    public static final int WQ_NUM = 32;

    @CField(value = "handle", size = 4)
    public static final int HANDLE = 36;

    @CField(value = "state", size = 4)
    public static final int STATE = 40;

    @CField(value = "wq_type", size = 4)
    public static final int WQ_TYPE = 44;

    @CField(value = "post_recv", size = 8)
    public static final int POST_RECV = 48;

    private WqLayout() {}
}
