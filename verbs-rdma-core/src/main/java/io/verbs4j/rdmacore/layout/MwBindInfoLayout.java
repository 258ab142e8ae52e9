/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_mw_bind_info}: what a memory window is bound to.
 *
 * <pre>
 * 0 mr(8)  8 addr(8)  16 length(8)  24 mw_access_flags(4)    32 in all
 * </pre>
 */
@CStruct("struct ibv_mw_bind_info")
public final class MwBindInfoLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "mr", size = 8)
    public static final int MR = 0;

    @CField(value = "addr", size = 8)
    public static final int ADDR = 8;

    @CField(value = "length", size = 8)
    public static final int LENGTH = 16;

    @CField(value = "mw_access_flags", size = 4)
    public static final int MW_ACCESS_FLAGS = 24;

    private MwBindInfoLayout() {}
}
