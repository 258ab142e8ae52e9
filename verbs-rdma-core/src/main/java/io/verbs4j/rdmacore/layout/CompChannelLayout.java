/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_comp_channel}: a completion channel.
 *
 * <pre>
 * 0 context(8)  8 fd(4)  12 refcnt(4)    16 in all
 * </pre>
 */
@CStruct("struct ibv_comp_channel")
public final class CompChannelLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "context", size = 8)
    public static final int CONTEXT = 0;

    @CField(value = "fd", size = 4)
    public static final int FD = 8;

    @CField(value = "refcnt", size = 4)
    public static final int REFCNT = 12;

    private CompChannelLayout() {}
}
