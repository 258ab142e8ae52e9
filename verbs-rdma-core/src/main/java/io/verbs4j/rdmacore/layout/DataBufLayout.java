/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_data_buf}: inline data, as {@code ibv_wr_set_inline_data_list} takes them.
 *
 * <pre>
 * 0 addr(8)  8 length(8)    16 in all
 * </pre>
 */
@CStruct(value = "struct ibv_data_buf", since = 24)
public final class DataBufLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "addr", size = 8)
    public static final int ADDR = 0;

    @CField(value = "length", size = 8)
    public static final int LENGTH = 8;

    private DataBufLayout() {}
}
