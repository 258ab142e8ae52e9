/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_tcp_udp}: a filter of ports.
 *
 * <pre>
 * 0 type(4)  4 size(2)  6 val(4)  6 val.dst_port(2)  8 val.src_port(2)  10 mask(4)  12 mask.src_port(2)    16 in all
 * </pre>
 */
@CStruct("struct ibv_flow_spec_tcp_udp")
public final class FlowSpecTcpUdpLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "type", size = 4)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2)
    public static final int SIZE = 4;

    @CField(value = "val", size = 4)
    public static final int VAL = 6;

    @CField(value = "val.dst_port", size = 2)
    public static final int VAL_DST_PORT = 6;

    @CField(value = "val.src_port", size = 2)
    public static final int VAL_SRC_PORT = 8;

    @CField(value = "mask", size = 4)
    public static final int MASK = 10;

    @CField(value = "mask.src_port", size = 2)
    public static final int MASK_SRC_PORT = 12;

    private FlowSpecTcpUdpLayout() {}
}
