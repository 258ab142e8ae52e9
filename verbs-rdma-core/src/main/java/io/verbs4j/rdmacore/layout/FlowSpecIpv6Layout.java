/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_ipv6}: a filter of the header of IPv6.
 *
 * <pre>
 * 0 type(4)  4 size(2)  8 val(40)  8 val.src_ip(16)  24 val.dst_ip(16)  40 val.flow_label(4)  44 val.next_hdr(1)
 * 45 val.traffic_class(1)  46 val.hop_limit(1)  48 mask(40)  86 mask.hop_limit(1)    88 in all
 * </pre>
 */
@CStruct("struct ibv_flow_spec_ipv6")
public final class FlowSpecIpv6Layout {
    @CSize(size = 88)
    public static final int SIZEOF = 88;

    @CField(value = "type", size = 4)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2)
    public static final int SIZE = 4;

    @CField(value = "val", size = 40)
    public static final int VAL = 8;

    @CField(value = "val.src_ip", size = 16)
    public static final int VAL_SRC_IP = 8;

    @CField(value = "val.dst_ip", size = 16)
    public static final int VAL_DST_IP = 24;

    @CField(value = "val.flow_label", size = 4)
    public static final int VAL_FLOW_LABEL = 40;

    @CField(value = "val.next_hdr", size = 1)
    public static final int VAL_NEXT_HDR = 44;

    @CField(value = "val.traffic_class", size = 1)
    public static final int VAL_TRAFFIC_CLASS = 45;

    @CField(value = "val.hop_limit", size = 1)
    public static final int VAL_HOP_LIMIT = 46;

    @CField(value = "mask", size = 40)
    public static final int MASK = 48;

    @CField(value = "mask.hop_limit", size = 1)
    public static final int MASK_HOP_LIMIT = 86;

    private FlowSpecIpv6Layout() {}
}
