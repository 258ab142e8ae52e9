/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_grh}: the global routing header in front of a datagram.
 *
 * <pre>
 * 0 version_tclass_flow(4)  4 paylen(2)  6 next_hdr(1)  7 hop_limit(1)  8 sgid(16)  24 dgid(16)    40 in all
 * </pre>
 */
@CStruct("struct ibv_grh")
public final class GrhLayout {
    @CSize(size = 40)
    public static final int SIZEOF = 40;

    @CField(value = "version_tclass_flow", size = 4)
    public static final int VERSION_TCLASS_FLOW = 0;

    @CField(value = "paylen", size = 2)
    public static final int PAYLEN = 4;

    @CField(value = "next_hdr", size = 1)
    public static final int NEXT_HDR = 6;

    @CField(value = "hop_limit", size = 1)
    public static final int HOP_LIMIT = 7;

    @CField(value = "sgid", size = 16)
    public static final int SGID = 8;

    @CField(value = "dgid", size = 16)
    public static final int DGID = 24;

    private GrhLayout() {}
}
