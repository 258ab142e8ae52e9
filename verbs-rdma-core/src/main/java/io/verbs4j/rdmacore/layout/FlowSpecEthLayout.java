/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_eth}: a filter of the Ethernet header.
 *
 * <pre>
 * 0 type(4)  4 size(2)  6 val(16)  6 val.dst_mac(6)  12 val.src_mac(6)  18 val.ether_type(2)  20 val.vlan_tag(2)
 * 22 mask(16)  36 mask.vlan_tag(2)    40 in all
 * </pre>
 */
@CStruct("struct ibv_flow_spec_eth")
public final class FlowSpecEthLayout {
    @CSize(size = 40)
    public static final int SIZEOF = 40;

    @CField(value = "type", size = 4)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2)
    public static final int SIZE = 4;

    @CField(value = "val", size = 16)
    public static final int VAL = 6;

    @CField(value = "val.dst_mac", size = 6)
    public static final int VAL_DST_MAC = 6;

    @CField(value = "val.src_mac", size = 6)
    public static final int VAL_SRC_MAC = 12;

    @CField(value = "val.ether_type", size = 2)
    public static final int VAL_ETHER_TYPE = 18;

    @CField(value = "val.vlan_tag", size = 2)
    public static final int VAL_VLAN_TAG = 20;

    @CField(value = "mask", size = 16)
    public static final int MASK = 22;

    @CField(value = "mask.vlan_tag", size = 2)
    public static final int MASK_VLAN_TAG = 36;

    private FlowSpecEthLayout() {}
}
