/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_tunnel}: a filter of a VXLAN tunnel.
 *
 * <pre>
 * 0 type(4)  4 size(2)  8 val(4)  8 val.tunnel_id(4)  12 mask(4)  12 mask.tunnel_id(4)    16 in all
 * </pre>
 */
@CStruct(value = "struct ibv_flow_spec_tunnel", since = 14)
public final class FlowSpecTunnelLayout {
    @CSize(since = 14, size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "type", size = 4, since = 14)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2, since = 14)
    public static final int SIZE = 4;

    @CField(value = "val", size = 4, since = 14)
    public static final int VAL = 8;

    @CField(value = "val.tunnel_id", size = 4, since = 14)
    public static final int VAL_TUNNEL_ID = 8;

    @CField(value = "mask", size = 4, since = 14)
    public static final int MASK = 12;

    @CField(value = "mask.tunnel_id", size = 4, since = 14)
    public static final int MASK_TUNNEL_ID = 12;

    private FlowSpecTunnelLayout() {}
}
