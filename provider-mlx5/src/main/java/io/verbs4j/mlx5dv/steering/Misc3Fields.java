/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Fields of TCP sequences, ICMP, VXLAN-GPE and GTP-U. Source: {@code struct mlx5_ifc_dr_match_set_misc3_bits},
 * rdma-core providers/mlx5/mlx5_ifc.h.
 */
public final class Misc3Fields {
    /** Inner headers: TCP sequence number. */
    public static final MatchField INNER_TCP_SEQ_NUM = new MatchField("misc3.INNER_TCP_SEQ_NUM", 0x800, 32);

    /** Outer headers: TCP sequence number. */
    public static final MatchField OUTER_TCP_SEQ_NUM = new MatchField("misc3.OUTER_TCP_SEQ_NUM", 0x820, 32);

    /** Inner headers: TCP acknowledgement number. */
    public static final MatchField INNER_TCP_ACK_NUM = new MatchField("misc3.INNER_TCP_ACK_NUM", 0x840, 32);

    /** Outer headers: TCP acknowledgement number. */
    public static final MatchField OUTER_TCP_ACK_NUM = new MatchField("misc3.OUTER_TCP_ACK_NUM", 0x860, 32);

    /** VXLAN-GPE network identifier. */
    public static final MatchField OUTER_VXLAN_GPE_VNI = new MatchField("misc3.OUTER_VXLAN_GPE_VNI", 0x888, 24);

    /** VXLAN-GPE next protocol. */
    public static final MatchField OUTER_VXLAN_GPE_NEXT_PROTOCOL =
            new MatchField("misc3.OUTER_VXLAN_GPE_NEXT_PROTOCOL", 0x8a0, 8);

    /** VXLAN-GPE flags. */
    public static final MatchField OUTER_VXLAN_GPE_FLAGS = new MatchField("misc3.OUTER_VXLAN_GPE_FLAGS", 0x8a8, 8);

    /** The second word of the ICMP header. */
    public static final MatchField ICMP_HEADER_DATA = new MatchField("misc3.ICMP_HEADER_DATA", 0x8c0, 32);

    /** The second word of the ICMPv6 header. */
    public static final MatchField ICMPV6_HEADER_DATA = new MatchField("misc3.ICMPV6_HEADER_DATA", 0x8e0, 32);

    /** ICMP type. */
    public static final MatchField ICMP_TYPE = new MatchField("misc3.ICMP_TYPE", 0x900, 8);

    /** ICMP code. */
    public static final MatchField ICMP_CODE = new MatchField("misc3.ICMP_CODE", 0x908, 8);

    /** ICMPv6 type. */
    public static final MatchField ICMPV6_TYPE = new MatchField("misc3.ICMPV6_TYPE", 0x910, 8);

    /** ICMPv6 code. */
    public static final MatchField ICMPV6_CODE = new MatchField("misc3.ICMPV6_CODE", 0x918, 8);

    /** Data of the Geneve option that the device parses. */
    public static final MatchField GENEVE_TLV_OPTION_0_DATA =
            new MatchField("misc3.GENEVE_TLV_OPTION_0_DATA", 0x920, 32);

    /** GTP-U tunnel endpoint identifier. */
    public static final MatchField GTPU_TEID = new MatchField("misc3.GTPU_TEID", 0x940, 32);

    /** GTP-U message type. */
    public static final MatchField GTPU_MSG_TYPE = new MatchField("misc3.GTPU_MSG_TYPE", 0x960, 8);

    /** GTP-U flags. */
    public static final MatchField GTPU_MSG_FLAGS = new MatchField("misc3.GTPU_MSG_FLAGS", 0x968, 8);

    /** The third word of the GTP-U header. */
    public static final MatchField GTPU_DW_2 = new MatchField("misc3.GTPU_DW_2", 0x980, 32);

    /** The first word of the first GTP-U extension. */
    public static final MatchField GTPU_FIRST_EXT_DW_0 = new MatchField("misc3.GTPU_FIRST_EXT_DW_0", 0x9a0, 32);

    /** The first word of the GTP-U header. */
    public static final MatchField GTPU_DW_0 = new MatchField("misc3.GTPU_DW_0", 0x9c0, 32);

    private Misc3Fields() {}
}
