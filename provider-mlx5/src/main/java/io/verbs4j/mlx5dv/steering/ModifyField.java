/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Numbers of the fields that {@link HeaderChanges} change. Source: {@code MLX5_ACTION_IN_FIELD_OUT_*}, rdma-core
 * providers/mlx5/mlx5_ifc.h.
 */
public final class ModifyField {
    /** Source MAC address, upper 32 bits. Source: {@code MLX5_ACTION_IN_FIELD_OUT_SMAC_47_16}. */
    public static final int SMAC_47_16 = 0x1;

    /** Source MAC address, lower 16 bits. Source: {@code MLX5_ACTION_IN_FIELD_OUT_SMAC_15_0}. */
    public static final int SMAC_15_0 = 0x2;

    /** Type of the payload after the Ethernet header. Source: {@code MLX5_ACTION_IN_FIELD_OUT_ETHERTYPE}. */
    public static final int ETHERTYPE = 0x3;

    /** Destination MAC address, upper 32 bits. Source: {@code MLX5_ACTION_IN_FIELD_OUT_DMAC_47_16}. */
    public static final int DMAC_47_16 = 0x4;

    /** Destination MAC address, lower 16 bits. Source: {@code MLX5_ACTION_IN_FIELD_OUT_DMAC_15_0}. */
    public static final int DMAC_15_0 = 0x5;

    /** IP differentiated services code point. Source: {@code MLX5_ACTION_IN_FIELD_OUT_IP_DSCP}. */
    public static final int IP_DSCP = 0x6;

    /** TCP flags. Source: {@code MLX5_ACTION_IN_FIELD_OUT_TCP_FLAGS}. */
    public static final int TCP_FLAGS = 0x7;

    /** TCP source port. Source: {@code MLX5_ACTION_IN_FIELD_OUT_TCP_SPORT}. */
    public static final int TCP_SPORT = 0x8;

    /** TCP destination port. Source: {@code MLX5_ACTION_IN_FIELD_OUT_TCP_DPORT}. */
    public static final int TCP_DPORT = 0x9;

    /** IPv4 time to live. Source: {@code MLX5_ACTION_IN_FIELD_OUT_IP_TTL}. */
    public static final int IP_TTL = 0xa;

    /** UDP source port. Source: {@code MLX5_ACTION_IN_FIELD_OUT_UDP_SPORT}. */
    public static final int UDP_SPORT = 0xb;

    /** UDP destination port. Source: {@code MLX5_ACTION_IN_FIELD_OUT_UDP_DPORT}. */
    public static final int UDP_DPORT = 0xc;

    /** IPv6 source address, bits 127 to 96. Source: {@code MLX5_ACTION_IN_FIELD_OUT_SIPV6_127_96}. */
    public static final int SIPV6_127_96 = 0xd;

    /** IPv6 source address, bits 95 to 64. Source: {@code MLX5_ACTION_IN_FIELD_OUT_SIPV6_95_64}. */
    public static final int SIPV6_95_64 = 0xe;

    /** IPv6 source address, bits 63 to 32. Source: {@code MLX5_ACTION_IN_FIELD_OUT_SIPV6_63_32}. */
    public static final int SIPV6_63_32 = 0xf;

    /** IPv6 source address, bits 31 to 0. Source: {@code MLX5_ACTION_IN_FIELD_OUT_SIPV6_31_0}. */
    public static final int SIPV6_31_0 = 0x10;

    /** IPv6 destination address, bits 127 to 96. Source: {@code MLX5_ACTION_IN_FIELD_OUT_DIPV6_127_96}. */
    public static final int DIPV6_127_96 = 0x11;

    /** IPv6 destination address, bits 95 to 64. Source: {@code MLX5_ACTION_IN_FIELD_OUT_DIPV6_95_64}. */
    public static final int DIPV6_95_64 = 0x12;

    /** IPv6 destination address, bits 63 to 32. Source: {@code MLX5_ACTION_IN_FIELD_OUT_DIPV6_63_32}. */
    public static final int DIPV6_63_32 = 0x13;

    /** IPv6 destination address, bits 31 to 0. Source: {@code MLX5_ACTION_IN_FIELD_OUT_DIPV6_31_0}. */
    public static final int DIPV6_31_0 = 0x14;

    /** IPv4 source address. Source: {@code MLX5_ACTION_IN_FIELD_OUT_SIPV4}. */
    public static final int SIPV4 = 0x15;

    /** IPv4 destination address. Source: {@code MLX5_ACTION_IN_FIELD_OUT_DIPV4}. */
    public static final int DIPV4 = 0x16;

    /** Identifier of the first VLAN. Source: {@code MLX5_ACTION_IN_FIELD_OUT_FIRST_VID}. */
    public static final int FIRST_VID = 0x17;

    /** IPv6 hop limit. Source: {@code MLX5_ACTION_IN_FIELD_OUT_IPV6_HOPLIMIT}. */
    public static final int IPV6_HOPLIMIT = 0x47;

    /** Register A. Source: {@code MLX5_ACTION_IN_FIELD_OUT_METADATA_REGA}. */
    public static final int METADATA_REGA = 0x49;

    /** Register B. Source: {@code MLX5_ACTION_IN_FIELD_OUT_METADATA_REGB}. */
    public static final int METADATA_REGB = 0x50;

    /** Register C0. Source: {@code MLX5_ACTION_IN_FIELD_OUT_METADATA_REGC_0}. */
    public static final int METADATA_REGC_0 = 0x51;

    /** Register C1. Source: {@code MLX5_ACTION_IN_FIELD_OUT_METADATA_REGC_1}. */
    public static final int METADATA_REGC_1 = 0x52;

    /** Register C2. Source: {@code MLX5_ACTION_IN_FIELD_OUT_METADATA_REGC_2}. */
    public static final int METADATA_REGC_2 = 0x53;

    /** Register C3. Source: {@code MLX5_ACTION_IN_FIELD_OUT_METADATA_REGC_3}. */
    public static final int METADATA_REGC_3 = 0x54;

    /** Register C4. Source: {@code MLX5_ACTION_IN_FIELD_OUT_METADATA_REGC_4}. */
    public static final int METADATA_REGC_4 = 0x55;

    /** Register C5. Source: {@code MLX5_ACTION_IN_FIELD_OUT_METADATA_REGC_5}. */
    public static final int METADATA_REGC_5 = 0x56;

    /** TCP sequence number. Source: {@code MLX5_ACTION_IN_FIELD_OUT_TCP_SEQ_NUM}. */
    public static final int TCP_SEQ_NUM = 0x59;

    /** TCP acknowledgement number. Source: {@code MLX5_ACTION_IN_FIELD_OUT_TCP_ACK_NUM}. */
    public static final int TCP_ACK_NUM = 0x5b;

    /** GTP-U tunnel endpoint identifier. Source: {@code MLX5_ACTION_IN_FIELD_OUT_GTPU_TEID}. */
    public static final int GTPU_TEID = 0x6e;

    /** IP congestion notification bits. Source: {@code MLX5_ACTION_IN_FIELD_OUT_IP_ECN}. */
    public static final int IP_ECN = 0x73;

    private ModifyField() {}
}
