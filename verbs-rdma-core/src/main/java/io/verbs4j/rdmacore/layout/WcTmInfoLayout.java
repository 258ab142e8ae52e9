/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_wc_tm_info}: the header of a message that was matched.
 *
 * <pre>
 * 0 tag(8)  8 priv(4)    16 in all
 * </pre>
 */
@CStruct(value = "struct ibv_wc_tm_info", since = 16)
public final class WcTmInfoLayout {
    @CSize(since = 16, size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "tag", size = 8, since = 16)
    public static final int TAG = 0;

    @CField(value = "priv", size = 4, since = 16)
    public static final int PRIV = 8;

    private WcTmInfoLayout() {}
}
