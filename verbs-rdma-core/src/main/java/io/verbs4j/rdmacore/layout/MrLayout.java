/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_mr}: a memory region.
 *
 * <pre>
 * 0 context(8)  8 pd(8)  16 addr(8)  24 length(8)  32 handle(4)  36 lkey(4)  40 rkey(4)    48 in all
 * </pre>
 */
@CStruct("struct ibv_mr")
public final class MrLayout {
    @CSize(size = 48)
    public static final int SIZEOF = 48;

    @CField(value = "context", size = 8)
    public static final int CONTEXT = 0;

    @CField(value = "pd", size = 8)
    public static final int PD = 8;

    @CField(value = "addr", size = 8)
    public static final int ADDR = 16;

    @CField(value = "length", size = 8)
    public static final int LENGTH = 24;

    @CField(value = "handle", size = 4)
    public static final int HANDLE = 32;

    @CField(value = "lkey", size = 4)
    public static final int LKEY = 36;

    @CField(value = "rkey", size = 4)
    public static final int RKEY = 40;

    private MrLayout() {}
}
