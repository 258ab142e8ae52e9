/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_pd}: a protection domain.
 *
 * <pre>
 * 0 context(8)  8 handle(4)    16 in all
 * </pre>
 */
@CStruct("struct ibv_pd")
public final class PdLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "context", size = 8)
    public static final int CONTEXT = 0;

    @CField(value = "handle", size = 4)
    public static final int HANDLE = 8;

    private PdLayout() {}
}
