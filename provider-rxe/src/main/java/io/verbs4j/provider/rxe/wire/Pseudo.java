/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * The pseudo headers that the ICRC covers before the packet, with masked fields as ones; see {@link Icrc} for the
 * fields.
 *
 * <pre>{@code
 * 0                       20                      28                 48            56
 * +-----------------------+-----------------------+------------------+-------------+---------
 * | 8 ones | IPv6 header, 40 bytes                                    | UDP header  | packet
 * +-----------------------+-----------------------+------------------+-------------+---------
 *                         | 8 ones                | IPv4, 20 bytes   | UDP header  | packet
 * }</pre>
 */
final class Pseudo {
    static final int IPV4_LENGTH = 20;
    static final int UDP_LENGTH = 8;
    static final int PACKET_OFFSET = 56;

    /** Number of bytes from the start of the IPv4 identification to the packet. */
    static final int BYTES_FROM_IPV4_ID = IPV4_LENGTH - 4 + UDP_LENGTH;

    private static final int UDP = PACKET_OFFSET - UDP_LENGTH;
    private static final int IPV6 = UDP - 40;
    private static final int IPV4 = UDP - IPV4_LENGTH;
    private static final long ONES = -1L;
    private static final int IPV4_VERSION_AND_TOS = 0x45ff_0000;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int TTL_PROTOCOL_CHECKSUM = 0xff11_ffff;
    private static final int IPV6_VERSION_CLASS_AND_FLOW = 0x6fff_ffff;
    private static final int PROTOCOL_AND_HOP_LIMIT = 0x11ff;
    private static final int CHECKSUM = 0xffff;

    private Pseudo() {}

    /** Writes the ones and the IPv4 header; returns where they begin. */
    static int ipv4(ByteBuffer b, int udpPayload, int src, int dst, int id) {
        b.putLong(IPV4 - Long.BYTES, ONES);
        b.putInt(IPV4, IPV4_VERSION_AND_TOS | (IPV4_LENGTH + UDP_LENGTH + udpPayload));
        b.putInt(IPV4 + 4, (id << 16) | DONT_FRAGMENT);
        b.putInt(IPV4 + 8, TTL_PROTOCOL_CHECKSUM);
        b.putInt(IPV4 + 12, src);
        b.putInt(IPV4 + 16, dst);
        return IPV4 - Long.BYTES;
    }

    /** Writes the ones and the IPv6 header; returns where they begin. */
    static int ipv6(ByteBuffer b, int udpPayload, long srcHigh, long srcLow, long dstHigh, long dstLow) {
        b.putLong(IPV6 - Long.BYTES, ONES);
        b.putInt(IPV6, IPV6_VERSION_CLASS_AND_FLOW);
        b.putInt(IPV6 + 4, ((UDP_LENGTH + udpPayload) << 16) | PROTOCOL_AND_HOP_LIMIT);
        b.putLong(IPV6 + 8, srcHigh);
        b.putLong(IPV6 + 16, srcLow);
        b.putLong(IPV6 + 24, dstHigh);
        b.putLong(IPV6 + 32, dstLow);
        return IPV6 - Long.BYTES;
    }

    static void udp(ByteBuffer b, int udpPayload, int srcPort, int dstPort) {
        b.putInt(UDP, (srcPort << 16) | (dstPort & 0xffff));
        b.putInt(UDP + 4, ((UDP_LENGTH + udpPayload) << 16) | CHECKSUM);
    }
}
