/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_xrcd_init_attr}: which XRC domain to open.
 *
 * <pre>
 * 0 comp_mask(4)  4 fd(4)  8 oflags(4)    12 in all
 * </pre>
 */
@CStruct("struct ibv_xrcd_init_attr")
public final class XrcdInitAttrLayout {
    @CSize(size = 12)
    public static final int SIZEOF = 12;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 0;

    @CField(value = "fd", size = 4)
    public static final int FD = 4;

    @CField(value = "oflags", size = 4)
    public static final int OFLAGS = 8;

    private XrcdInitAttrLayout() {}
}
