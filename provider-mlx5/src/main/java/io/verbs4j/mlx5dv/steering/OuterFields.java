/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Fields of the outer headers, which are the only headers of a packet without a tunnel. Source:
 * {@code struct mlx5_ifc_dr_match_spec_bits}, rdma-core providers/mlx5/mlx5_ifc.h.
 */
public final class OuterFields {
    /** Source MAC address. */
    public static final MatchField SMAC = new MatchField("outer.SMAC", 0x0, 48);

    /** Type of the payload after the Ethernet header and its tags. */
    public static final MatchField ETHERTYPE = new MatchField("outer.ETHERTYPE", 0x30, 16);

    /** Destination MAC address. */
    public static final MatchField DMAC = new MatchField("outer.DMAC", 0x40, 48);

    /** Priority in the first VLAN tag. */
    public static final MatchField FIRST_PRIO = new MatchField("outer.FIRST_PRIO", 0x70, 3);

    /** Drop-eligible bit of the first VLAN tag. */
    public static final MatchField FIRST_CFI = new MatchField("outer.FIRST_CFI", 0x73, 1);

    /** Identifier of the first VLAN. */
    public static final MatchField FIRST_VID = new MatchField("outer.FIRST_VID", 0x74, 12);

    /** Protocol above IP, such as 17 for UDP. */
    public static final MatchField IP_PROTOCOL = new MatchField("outer.IP_PROTOCOL", 0x80, 8);

    /** IP differentiated services code point. */
    public static final MatchField IP_DSCP = new MatchField("outer.IP_DSCP", 0x88, 6);

    /** IP congestion notification bits. */
    public static final MatchField IP_ECN = new MatchField("outer.IP_ECN", 0x8e, 2);

    /** Whether the first VLAN tag is a customer tag. */
    public static final MatchField CVLAN_TAG = new MatchField("outer.CVLAN_TAG", 0x90, 1);

    /** Whether the first VLAN tag is a service tag. */
    public static final MatchField SVLAN_TAG = new MatchField("outer.SVLAN_TAG", 0x91, 1);

    /** Whether the packet is an IP fragment. */
    public static final MatchField FRAG = new MatchField("outer.FRAG", 0x92, 1);

    /** IP version. */
    public static final MatchField IP_VERSION = new MatchField("outer.IP_VERSION", 0x93, 4);

    /** TCP flags. */
    public static final MatchField TCP_FLAGS = new MatchField("outer.TCP_FLAGS", 0x97, 9);

    /** TCP source port. */
    public static final MatchField TCP_SPORT = new MatchField("outer.TCP_SPORT", 0xa0, 16);

    /** TCP destination port. */
    public static final MatchField TCP_DPORT = new MatchField("outer.TCP_DPORT", 0xb0, 16);

    /** Length of the IPv4 header in words of 4 bytes. */
    public static final MatchField IPV4_IHL = new MatchField("outer.IPV4_IHL", 0xd0, 4);

    /** Whether layer 3 is well formed. */
    public static final MatchField L3_OK = new MatchField("outer.L3_OK", 0xd4, 1);

    /** Whether layer 4 is well formed. */
    public static final MatchField L4_OK = new MatchField("outer.L4_OK", 0xd5, 1);

    /** Whether the IPv4 checksum is correct. */
    public static final MatchField IPV4_CHECKSUM_OK = new MatchField("outer.IPV4_CHECKSUM_OK", 0xd6, 1);

    /** Whether the TCP or UDP checksum is correct. */
    public static final MatchField L4_CHECKSUM_OK = new MatchField("outer.L4_CHECKSUM_OK", 0xd7, 1);

    /** Time to live, or hop limit. */
    public static final MatchField IP_TTL_HOPLIMIT = new MatchField("outer.IP_TTL_HOPLIMIT", 0xd8, 8);

    /** UDP source port. */
    public static final MatchField UDP_SPORT = new MatchField("outer.UDP_SPORT", 0xe0, 16);

    /** UDP destination port. */
    public static final MatchField UDP_DPORT = new MatchField("outer.UDP_DPORT", 0xf0, 16);

    /** IPv6 source address, as 16 bytes. */
    public static final MatchField SRC_IP = new MatchField("outer.SRC_IP", 0x100, 128);

    /** IPv4 source address: the last 32 bits of {@link #SRC_IP}. */
    public static final MatchField SRC_IPV4 = new MatchField("outer.SRC_IPV4", 0x160, 32);

    /** IPv6 destination address, as 16 bytes. */
    public static final MatchField DST_IP = new MatchField("outer.DST_IP", 0x180, 128);

    /** IPv4 destination address: the last 32 bits of {@link #DST_IP}. */
    public static final MatchField DST_IPV4 = new MatchField("outer.DST_IPV4", 0x1e0, 32);

    private OuterFields() {}
}
