/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_ipv4}: a filter of IPv4's addresses.
 *
 * <pre>
 * 0 type(4)  4 size(2)  8 val(8)  8 val.src_ip(4)  12 val.dst_ip(4)  16 mask(8)  20 mask.dst_ip(4)    24 in all
 * </pre>
 */
@CStruct("struct ibv_flow_spec_ipv4")
public final class FlowSpecIpv4Layout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "type", size = 4)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2)
    public static final int SIZE = 4;

    @CField(value = "val", size = 8)
    public static final int VAL = 8;

    @CField(value = "val.src_ip", size = 4)
    public static final int VAL_SRC_IP = 8;

    @CField(value = "val.dst_ip", size = 4)
    public static final int VAL_DST_IP = 12;

    @CField(value = "mask", size = 8)
    public static final int MASK = 16;

    @CField(value = "mask.dst_ip", size = 4)
    public static final int MASK_DST_IP = 20;

    private FlowSpecIpv4Layout() {}
}
