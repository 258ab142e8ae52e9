/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Fields of the headers inside a tunnel. Source: {@code struct mlx5_ifc_dr_match_spec_bits}, rdma-core
 * providers/mlx5/mlx5_ifc.h.
 */
public final class InnerFields {
    /** Source MAC address. */
    public static final MatchField SMAC = new MatchField("inner.SMAC", 0x400, 48);

    /** Type of the payload after the Ethernet header and its tags. */
    public static final MatchField ETHERTYPE = new MatchField("inner.ETHERTYPE", 0x430, 16);

    /** Destination MAC address. */
    public static final MatchField DMAC = new MatchField("inner.DMAC", 0x440, 48);

    /** Priority in the first VLAN tag. */
    public static final MatchField FIRST_PRIO = new MatchField("inner.FIRST_PRIO", 0x470, 3);

    /** Drop-eligible bit of the first VLAN tag. */
    public static final MatchField FIRST_CFI = new MatchField("inner.FIRST_CFI", 0x473, 1);

    /** Identifier of the first VLAN. */
    public static final MatchField FIRST_VID = new MatchField("inner.FIRST_VID", 0x474, 12);

    /** Protocol above IP, such as 17 for UDP. */
    public static final MatchField IP_PROTOCOL = new MatchField("inner.IP_PROTOCOL", 0x480, 8);

    /** IP differentiated services code point. */
    public static final MatchField IP_DSCP = new MatchField("inner.IP_DSCP", 0x488, 6);

    /** IP congestion notification bits. */
    public static final MatchField IP_ECN = new MatchField("inner.IP_ECN", 0x48e, 2);

    /** Whether the first VLAN tag is a customer tag. */
    public static final MatchField CVLAN_TAG = new MatchField("inner.CVLAN_TAG", 0x490, 1);

    /** Whether the first VLAN tag is a service tag. */
    public static final MatchField SVLAN_TAG = new MatchField("inner.SVLAN_TAG", 0x491, 1);

    /** Whether the packet is an IP fragment. */
    public static final MatchField FRAG = new MatchField("inner.FRAG", 0x492, 1);

    /** IP version. */
    public static final MatchField IP_VERSION = new MatchField("inner.IP_VERSION", 0x493, 4);

    /** TCP flags. */
    public static final MatchField TCP_FLAGS = new MatchField("inner.TCP_FLAGS", 0x497, 9);

    /** TCP source port. */
    public static final MatchField TCP_SPORT = new MatchField("inner.TCP_SPORT", 0x4a0, 16);

    /** TCP destination port. */
    public static final MatchField TCP_DPORT = new MatchField("inner.TCP_DPORT", 0x4b0, 16);

    /** Length of the IPv4 header in words of 4 bytes. */
    public static final MatchField IPV4_IHL = new MatchField("inner.IPV4_IHL", 0x4d0, 4);

    /** Whether layer 3 is well formed. */
    public static final MatchField L3_OK = new MatchField("inner.L3_OK", 0x4d4, 1);

    /** Whether layer 4 is well formed. */
    public static final MatchField L4_OK = new MatchField("inner.L4_OK", 0x4d5, 1);

    /** Whether the IPv4 checksum is correct. */
    public static final MatchField IPV4_CHECKSUM_OK = new MatchField("inner.IPV4_CHECKSUM_OK", 0x4d6, 1);

    /** Whether the TCP or UDP checksum is correct. */
    public static final MatchField L4_CHECKSUM_OK = new MatchField("inner.L4_CHECKSUM_OK", 0x4d7, 1);

    /** Time to live, or hop limit. */
    public static final MatchField IP_TTL_HOPLIMIT = new MatchField("inner.IP_TTL_HOPLIMIT", 0x4d8, 8);

    /** UDP source port. */
    public static final MatchField UDP_SPORT = new MatchField("inner.UDP_SPORT", 0x4e0, 16);

    /** UDP destination port. */
    public static final MatchField UDP_DPORT = new MatchField("inner.UDP_DPORT", 0x4f0, 16);

    /** IPv6 source address, as 16 bytes. */
    public static final MatchField SRC_IP = new MatchField("inner.SRC_IP", 0x500, 128);

    /** IPv4 source address: the last 32 bits of {@link #SRC_IP}. */
    public static final MatchField SRC_IPV4 = new MatchField("inner.SRC_IPV4", 0x560, 32);

    /** IPv6 destination address, as 16 bytes. */
    public static final MatchField DST_IP = new MatchField("inner.DST_IP", 0x580, 128);

    /** IPv4 destination address: the last 32 bits of {@link #DST_IP}. */
    public static final MatchField DST_IPV4 = new MatchField("inner.DST_IPV4", 0x5e0, 32);

    private InnerFields() {}
}
