/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_sge}: a piece of memory.
 *
 * <pre>
 * 0 addr(8)  8 length(4)  12 lkey(4)    16 in all
 * </pre>
 */
@CStruct("struct ibv_sge")
public final class SgeLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "addr", size = 8)
    public static final int ADDR = 0;

    @CField(value = "length", size = 4)
    public static final int LENGTH = 8;

    @CField(value = "lkey", size = 4)
    public static final int LKEY = 12;

    private SgeLayout() {}
}
