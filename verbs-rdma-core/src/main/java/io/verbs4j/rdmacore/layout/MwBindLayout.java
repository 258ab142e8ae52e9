/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_mw_bind}: a bind of a type 1 window; its {@code bind_info} is a {@link MwBindInfoLayout}.
 *
 * <pre>
 * 0 wr_id(8)  8 send_flags(4)  16 bind_info(32)    48 in all
 * </pre>
 */
@CStruct("struct ibv_mw_bind")
public final class MwBindLayout {
    @CSize(size = 48)
    public static final int SIZEOF = 48;

    @CField(value = "wr_id", size = 8)
    public static final int WR_ID = 0;

    @CField(value = "send_flags", size = 4)
    public static final int SEND_FLAGS = 8;

    @CField(value = "bind_info", size = 32)
    public static final int BIND_INFO = 16;

    private MwBindLayout() {}
}
