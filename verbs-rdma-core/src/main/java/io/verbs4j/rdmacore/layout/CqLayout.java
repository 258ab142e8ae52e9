/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_cq}: a completion queue.
 *
 * <pre>
 * 0 context(8)  8 channel(8)  16 cq_context(8)  24 handle(4)  28 cqe(4)    then lock, condition, counts of events; 128 in all, 136 on aarch64
 * </pre>
 */
@CStruct("struct ibv_cq")
public final class CqLayout {
    @CIf("!defined(__aarch64__)")
    @CSize(size = 128)
    public static final int SIZEOF = 128;

    @CIf("defined(__aarch64__)")
    @CSize(size = 136)
    public static final int SIZEOF_AARCH64 = 136;

    @CField(value = "context", size = 8)
    public static final int CONTEXT = 0;

    @CField(value = "channel", size = 8)
    public static final int CHANNEL = 8;

    @CField(value = "cq_context", size = 8)
    public static final int CQ_CONTEXT = 16;

    @CField(value = "handle", size = 4)
    public static final int HANDLE = 24;

    @CField(value = "cqe", size = 4)
    public static final int CQE = 28;

    private CqLayout() {}
}
