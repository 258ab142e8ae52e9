/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Map;

/**
 * Bits that select the fields of a packet to hash: {@link RxHashConf#rxHashFieldsMask()}. A queue pair cannot combine
 * fields of IPv4 with fields of IPv6, nor fields of TCP with fields of UDP. No bit is or will be optional. Since level
 * 4. Source: {@code enum ibv_rx_hash_fields}, {@code ibv_create_qp_ex(3)}.
 */
public final class RxHashFields {
    /** Bit: the source address of IPv4. Source: {@code IBV_RX_HASH_SRC_IPV4}, {@code ibv_create_qp_ex(3)}. */
    public static final long SRC_IPV4 = 1L << 0;

    /** Bit: the destination address of IPv4. Source: {@code IBV_RX_HASH_DST_IPV4}, {@code ibv_create_qp_ex(3)}. */
    public static final long DST_IPV4 = 1L << 1;

    /** Bit: the source address of IPv6. Source: {@code IBV_RX_HASH_SRC_IPV6}, {@code ibv_create_qp_ex(3)}. */
    public static final long SRC_IPV6 = 1L << 2;

    /** Bit: the destination address of IPv6. Source: {@code IBV_RX_HASH_DST_IPV6}, {@code ibv_create_qp_ex(3)}. */
    public static final long DST_IPV6 = 1L << 3;

    /** Bit: the source port of TCP. Source: {@code IBV_RX_HASH_SRC_PORT_TCP}, {@code ibv_create_qp_ex(3)}. */
    public static final long SRC_PORT_TCP = 1L << 4;

    /** Bit: the destination port of TCP. Source: {@code IBV_RX_HASH_DST_PORT_TCP}, {@code ibv_create_qp_ex(3)}. */
    public static final long DST_PORT_TCP = 1L << 5;

    /** Bit: the source port of UDP. Source: {@code IBV_RX_HASH_SRC_PORT_UDP}, {@code ibv_create_qp_ex(3)}. */
    public static final long SRC_PORT_UDP = 1L << 6;

    /** Bit: the destination port of UDP. Source: {@code IBV_RX_HASH_DST_PORT_UDP}, {@code ibv_create_qp_ex(3)}. */
    public static final long DST_PORT_UDP = 1L << 7;

    /**
     * Bit: the security parameter index (SPI) of IPsec. Source: {@code IBV_RX_HASH_IPSEC_SPI},
     * {@code ibv_create_qp_ex(3)}.
     */
    public static final long IPSEC_SPI = 1L << 8;

    /**
     * Bit: all these fields are taken from the packet inside a tunnel. Source: {@code IBV_RX_HASH_INNER},
     * {@code ibv_create_qp_ex(3)}.
     */
    public static final long INNER = 1L << 31;

    private static final String[] NAMES = InputAttr.names(Map.ofEntries(
            Map.entry(SRC_IPV4, "SRC_IPV4"),
            Map.entry(DST_IPV4, "DST_IPV4"),
            Map.entry(SRC_IPV6, "SRC_IPV6"),
            Map.entry(DST_IPV6, "DST_IPV6"),
            Map.entry(SRC_PORT_TCP, "SRC_PORT_TCP"),
            Map.entry(DST_PORT_TCP, "DST_PORT_TCP"),
            Map.entry(SRC_PORT_UDP, "SRC_PORT_UDP"),
            Map.entry(DST_PORT_UDP, "DST_PORT_UDP"),
            Map.entry(IPSEC_SPI, "IPSEC_SPI"),
            Map.entry(INNER, "INNER")));

    private RxHashFields() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "SRC_IPV4|DST_IPV4"}; {@code "0"} if no bit is set; bits without a name come last, as
     *     one hexadecimal number
     */
    public static String toString(long bits) {
        return InputAttr.join(bits, NAMES);
    }
}
