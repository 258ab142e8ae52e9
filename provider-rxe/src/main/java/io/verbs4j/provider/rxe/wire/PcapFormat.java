/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * Writes the structures of a capture file, with IP and UDP headers, to a big-endian buffer.
 *
 * <pre>{@code
 * file    | magic a1b23c4d (nanoseconds) | version 2.4 | zone 0 | accuracy 0 | longest packet | link type |
 * packet  | seconds | nanoseconds | bytes stored | bytes sent | IP header | UDP header | BTH ... ICRC |
 * }</pre>
 *
 * <p>Source: draft-ietf-opsawg-pcap; RFC 791, 8200, 768.
 */
final class PcapFormat {
    static final int FILE_HEADER = 24;

    /** Length of record, IPv6 and UDP headers. */
    static final int MAX_OVERHEAD = 16 + 40 + 8;

    private static final int MAGIC_NANOSECONDS = 0xa1b2_3c4d;
    private static final int VERSION = 2 << 16 | 4;
    private static final int LONGEST = 1 << 18;
    private static final int LINKTYPE_RAW = 101;
    private static final long NANOS = 1_000_000_000L;
    private static final int IPV4_LENGTH = 20;
    private static final int IPV6_LENGTH = 40;
    private static final int UDP_LENGTH = 8;
    private static final int IPV4_CHECKSUM = 10;
    private static final int IPV4_ADDRESSES = 12;
    private static final int IPV6_ADDRESSES = 8;
    private static final int UDP_CHECKSUM = 6;
    private static final int UDP = 17;
    private static final int TTL = 64;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int MASK_16 = 0xffff;

    private PcapFormat() {}

    static void fileHeader(ByteBuffer b) {
        b.putInt(MAGIC_NANOSECONDS)
                .putInt(VERSION)
                .putInt(0)
                .putInt(0)
                .putInt(LONGEST)
                .putInt(LINKTYPE_RAW);
    }

    static void recordHeader(ByteBuffer b, long nanosSinceEpoch, int udpPayload, boolean ipv4) {
        int stored = (ipv4 ? IPV4_LENGTH : IPV6_LENGTH) + UDP_LENGTH + udpPayload;
        b.putInt((int) Math.floorDiv(nanosSinceEpoch, NANOS))
                .putInt((int) Math.floorMod(nanosSinceEpoch, NANOS))
                .putInt(stored)
                .putInt(stored);
    }

    static void ipv4(ByteBuffer b, int udpPayload, int src, int dst, int id) {
        int start = b.position();
        b.putShort((short) 0x4500).putShort((short) (IPV4_LENGTH + UDP_LENGTH + udpPayload));
        b.putShort((short) id).putShort((short) DONT_FRAGMENT);
        b.put((byte) TTL).put((byte) UDP).putShort((short) 0);
        b.putInt(src).putInt(dst);
        b.putShort(start + IPV4_CHECKSUM, (short) ~fold(sum(b, start, IPV4_LENGTH)));
    }

    static void ipv6(ByteBuffer b, int udpPayload, long srcHigh, long srcLow, long dstHigh, long dstLow) {
        b.putInt(0x6000_0000);
        b.putShort((short) (UDP_LENGTH + udpPayload)).put((byte) UDP).put((byte) TTL);
        b.putLong(srcHigh).putLong(srcLow).putLong(dstHigh).putLong(dstLow);
    }

    static void udp(ByteBuffer b, int udpPayload, int srcPort, int dstPort) {
        b.putShort((short) srcPort).putShort((short) dstPort);
        b.putShort((short) (UDP_LENGTH + udpPayload)).putShort((short) 0);
    }

    /** Completes the UDP header at a position, once the packet behind it is in the buffer. */
    static void udpChecksum(ByteBuffer b, int ip, int udp, int udpPayload, boolean ipv4) {
        int addresses = ip + (ipv4 ? IPV4_ADDRESSES : IPV6_ADDRESSES);
        long sum = sum(b, addresses, udp - addresses + UDP_LENGTH + udpPayload) + UDP + UDP_LENGTH + udpPayload;
        int checksum = ~fold(sum) & MASK_16;
        // 0 would mean "no checksum".
        b.putShort(udp + UDP_CHECKSUM, (short) (checksum == 0 ? MASK_16 : checksum));
    }

    /** Returns the sum of the 16-bit words; an odd last byte is the upper half of a word. */
    private static long sum(ByteBuffer b, int offset, int length) {
        long sum = 0;
        int end = offset + length;
        int at = offset;
        for (; at + Short.BYTES <= end; at += Short.BYTES) {
            sum += b.getShort(at) & MASK_16;
        }
        return at < end ? sum + ((b.get(at) & 0xff) << Byte.SIZE) : sum;
    }

    private static int fold(long sum) {
        long folded = sum;
        while (folded >>> Short.SIZE != 0) {
            folded = (folded & MASK_16) + (folded >>> Short.SIZE);
        }
        return (int) folded;
    }
}
