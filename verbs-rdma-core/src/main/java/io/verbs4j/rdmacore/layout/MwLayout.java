/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_mw}: a memory window.
 *
 * <pre>
 * 0 context(8)  8 pd(8)  16 rkey(4)  20 handle(4)  24 type(4)    32 in all
 * </pre>
 */
@CStruct("struct ibv_mw")
public final class MwLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "context", size = 8)
    public static final int CONTEXT = 0;

    @CField(value = "pd", size = 8)
    public static final int PD = 8;

    @CField(value = "rkey", size = 4)
    public static final int RKEY = 16;

    @CField(value = "handle", size = 4)
    public static final int HANDLE = 20;

    @CField(value = "type", size = 4)
    public static final int TYPE = 24;

    private MwLayout() {}
}
