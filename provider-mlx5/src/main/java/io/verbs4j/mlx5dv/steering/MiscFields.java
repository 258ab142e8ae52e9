/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Fields of tunnels, second VLAN tags and the origin of a packet. Source:
 * {@code struct mlx5_ifc_dr_match_set_misc_bits}, rdma-core providers/mlx5/mlx5_ifc.h.
 */
public final class MiscFields {
    /** Whether GRE has a checksum. */
    public static final MatchField GRE_C_PRESENT = new MatchField("misc.GRE_C_PRESENT", 0x200, 1);

    /** Acknowledgement request of the base transport header. */
    public static final MatchField BTH_A = new MatchField("misc.BTH_A", 0x201, 1);

    /** Whether GRE has a key. */
    public static final MatchField GRE_K_PRESENT = new MatchField("misc.GRE_K_PRESENT", 0x202, 1);

    /** Whether GRE has a sequence number. */
    public static final MatchField GRE_S_PRESENT = new MatchField("misc.GRE_S_PRESENT", 0x203, 1);

    /** Port of the source function. */
    public static final MatchField SOURCE_VHCA_PORT = new MatchField("misc.SOURCE_VHCA_PORT", 0x204, 4);

    /** Number of the send queue that sent the packet. */
    public static final MatchField SOURCE_SQN = new MatchField("misc.SOURCE_SQN", 0x208, 24);

    /** Function that owns the embedded switch of the source port. */
    public static final MatchField SOURCE_ESWITCH_OWNER_VHCA_ID =
            new MatchField("misc.SOURCE_ESWITCH_OWNER_VHCA_ID", 0x220, 16);

    /** Port of the embedded switch that the packet came from. */
    public static final MatchField SOURCE_PORT = new MatchField("misc.SOURCE_PORT", 0x230, 16);

    /** Outer headers: priority in the second VLAN tag. */
    public static final MatchField OUTER_SECOND_PRIO = new MatchField("misc.OUTER_SECOND_PRIO", 0x240, 3);

    /** Outer headers: drop-eligible bit of the second VLAN tag. */
    public static final MatchField OUTER_SECOND_CFI = new MatchField("misc.OUTER_SECOND_CFI", 0x243, 1);

    /** Outer headers: identifier of the second VLAN. */
    public static final MatchField OUTER_SECOND_VID = new MatchField("misc.OUTER_SECOND_VID", 0x244, 12);

    /** Inner headers: priority in the second VLAN tag. */
    public static final MatchField INNER_SECOND_PRIO = new MatchField("misc.INNER_SECOND_PRIO", 0x250, 3);

    /** Inner headers: drop-eligible bit of the second VLAN tag. */
    public static final MatchField INNER_SECOND_CFI = new MatchField("misc.INNER_SECOND_CFI", 0x253, 1);

    /** Inner headers: identifier of the second VLAN. */
    public static final MatchField INNER_SECOND_VID = new MatchField("misc.INNER_SECOND_VID", 0x254, 12);

    /** Outer headers: whether the second VLAN tag is a customer tag. */
    public static final MatchField OUTER_SECOND_CVLAN_TAG = new MatchField("misc.OUTER_SECOND_CVLAN_TAG", 0x260, 1);

    /** Inner headers: whether the second VLAN tag is a customer tag. */
    public static final MatchField INNER_SECOND_CVLAN_TAG = new MatchField("misc.INNER_SECOND_CVLAN_TAG", 0x261, 1);

    /** Outer headers: whether the second VLAN tag is a service tag. */
    public static final MatchField OUTER_SECOND_SVLAN_TAG = new MatchField("misc.OUTER_SECOND_SVLAN_TAG", 0x262, 1);

    /** Inner headers: whether the second VLAN tag is a service tag. */
    public static final MatchField INNER_SECOND_SVLAN_TAG = new MatchField("misc.INNER_SECOND_SVLAN_TAG", 0x263, 1);

    /** Whether the outer headers have an EMD tag. */
    public static final MatchField OUTER_EMD_TAG = new MatchField("misc.OUTER_EMD_TAG", 0x264, 1);

    /** Protocol type of the GRE payload. */
    public static final MatchField GRE_PROTOCOL = new MatchField("misc.GRE_PROTOCOL", 0x270, 16);

    /** GRE key: the upper 24 bits. */
    public static final MatchField GRE_KEY_H = new MatchField("misc.GRE_KEY_H", 0x280, 24);

    /** GRE key: the lower 8 bits. */
    public static final MatchField GRE_KEY_L = new MatchField("misc.GRE_KEY_L", 0x298, 8);

    /** VXLAN network identifier. */
    public static final MatchField VXLAN_VNI = new MatchField("misc.VXLAN_VNI", 0x2a0, 24);

    /** Opcode of the base transport header. */
    public static final MatchField BTH_OPCODE = new MatchField("misc.BTH_OPCODE", 0x2b8, 8);

    /** Geneve network identifier. */
    public static final MatchField GENEVE_VNI = new MatchField("misc.GENEVE_VNI", 0x2c0, 24);

    /** Whether Geneve has the option that the device parses. */
    public static final MatchField GENEVE_TLV_OPTION_0_EXIST =
            new MatchField("misc.GENEVE_TLV_OPTION_0_EXIST", 0x2de, 1);

    /** Geneve control bit. */
    public static final MatchField GENEVE_OAM = new MatchField("misc.GENEVE_OAM", 0x2df, 1);

    /** Outer headers: IPv6 flow label. */
    public static final MatchField OUTER_IPV6_FLOW_LABEL = new MatchField("misc.OUTER_IPV6_FLOW_LABEL", 0x2ec, 20);

    /** Inner headers: IPv6 flow label. */
    public static final MatchField INNER_IPV6_FLOW_LABEL = new MatchField("misc.INNER_IPV6_FLOW_LABEL", 0x30c, 20);

    /** Length of the Geneve options in words of 4 bytes. */
    public static final MatchField GENEVE_OPT_LEN = new MatchField("misc.GENEVE_OPT_LEN", 0x32a, 6);

    /** Protocol type of the Geneve payload. */
    public static final MatchField GENEVE_PROTOCOL_TYPE = new MatchField("misc.GENEVE_PROTOCOL_TYPE", 0x330, 16);

    /** Destination queue pair of the base transport header. */
    public static final MatchField BTH_DST_QP = new MatchField("misc.BTH_DST_QP", 0x348, 24);

    /** Inner headers: IPsec security parameters index. */
    public static final MatchField INNER_ESP_SPI = new MatchField("misc.INNER_ESP_SPI", 0x360, 32);

    /** Outer headers: IPsec security parameters index. */
    public static final MatchField OUTER_ESP_SPI = new MatchField("misc.OUTER_ESP_SPI", 0x380, 32);

    private MiscFields() {}
}
