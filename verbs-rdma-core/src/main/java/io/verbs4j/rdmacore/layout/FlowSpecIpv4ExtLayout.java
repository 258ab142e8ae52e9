/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_ipv4_ext}: a filter of the header of IPv4.
 *
 * <pre>
 * 0 type(4)  4 size(2)  8 val(12)  8 val.src_ip(4)  12 val.dst_ip(4)  16 val.proto(1)  17 val.tos(1)
 * 18 val.ttl(1)  19 val.flags(1)  20 mask(12)  31 mask.flags(1)    32 in all
 * </pre>
 */
@CStruct("struct ibv_flow_spec_ipv4_ext")
public final class FlowSpecIpv4ExtLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "type", size = 4)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2)
    public static final int SIZE = 4;

    @CField(value = "val", size = 12)
    public static final int VAL = 8;

    @CField(value = "val.src_ip", size = 4)
    public static final int VAL_SRC_IP = 8;

    @CField(value = "val.dst_ip", size = 4)
    public static final int VAL_DST_IP = 12;

    @CField(value = "val.proto", size = 1)
    public static final int VAL_PROTO = 16;

    @CField(value = "val.tos", size = 1)
    public static final int VAL_TOS = 17;

    @CField(value = "val.ttl", size = 1)
    public static final int VAL_TTL = 18;

    @CField(value = "val.flags", size = 1)
    public static final int VAL_FLAGS = 19;

    @CField(value = "mask", size = 12)
    public static final int MASK = 20;

    @CField(value = "mask.flags", size = 1)
    public static final int MASK_FLAGS = 31;

    private FlowSpecIpv4ExtLayout() {}
}
