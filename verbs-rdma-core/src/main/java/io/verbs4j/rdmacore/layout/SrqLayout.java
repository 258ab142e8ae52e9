/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_srq}: a shared receive queue.
 *
 * <pre>
 * 0 context(8)  8 srq_context(8)  16 pd(8)  24 handle(4)    then lock, condition, count of events; 128 in all, 136 on aarch64
 * </pre>
 */
@CStruct("struct ibv_srq")
public final class SrqLayout {
    @CIf("!defined(__aarch64__)")
    @CSize(size = 128)
    public static final int SIZEOF = 128;

    @CIf("defined(__aarch64__)")
    @CSize(size = 136)
    public static final int SIZEOF_AARCH64 = 136;

    @CField(value = "context", size = 8)
    public static final int CONTEXT = 0;

    @CField(value = "srq_context", size = 8)
    public static final int SRQ_CONTEXT = 8;

    @CField(value = "pd", size = 8)
    public static final int PD = 16;

    @CField(value = "handle", size = 4)
    public static final int HANDLE = 24;

    private SrqLayout() {}
}
