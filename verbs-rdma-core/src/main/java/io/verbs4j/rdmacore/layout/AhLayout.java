/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_ah}: an address handle.
 *
 * <pre>
 * 0 context(8)  8 pd(8)  16 handle(4)    24 in all
 * </pre>
 */
@CStruct("struct ibv_ah")
public final class AhLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "context", size = 8)
    public static final int CONTEXT = 0;

    @CField(value = "pd", size = 8)
    public static final int PD = 8;

    @CField(value = "handle", size = 4)
    public static final int HANDLE = 16;

    private AhLayout() {}
}
