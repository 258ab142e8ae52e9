/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ICRC values, compared with published packets, real adapters, and an independent reference. */
class IcrcTest {
    private static final int IPV4_HEADERS = 28;
    private static final int IPV6_HEADERS = 48;

    private final Icrc icrc = new Icrc();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "capture-roce1-write",
                "capture-roce1-ack",
                "capture-cnp",
                "published-uc-ipv4",
                "published-uc-ipv6"
            })
    void referenceAgreesWithPublishedPackets(String name) {
        byte[] packet = GoldenPacket.bytes(name);
        assertThat(IcrcReference.compute(packet)).isEqualTo(IcrcReference.stored(packet));
    }

    @Test
    void icrcMatchesAdapterOverIpv4() {
        byte[] packet = GoldenPacket.bytes("capture-cnp");
        int id = 0x718c;
        assertThat(appended(packet, IPV4_HEADERS, 0, 0xffff_0a00_1101L, 0, 0xffff_0a00_1201L, 0, id))
                .isEqualTo(IcrcReference.stored(packet));
        ByteBuffer b = GoldenPacket.direct(packet);
        int length = packet.length - IPV4_HEADERS;
        assertThat(icrc.verify(b, IPV4_HEADERS, length, 0, 0xffff_0a00_1101L, 0, 0xffff_0a00_1201L, 0, 4791))
                .isTrue();
        assertThat(icrc.solvedId()).isEqualTo(id);
    }

    @Test
    void icrcMatchesPublishedPacketOverIpv4() {
        byte[] packet = GoldenPacket.bytes("published-uc-ipv4");
        long host = 0xffff_c0a8_0007L;
        assertThat(appended(packet, IPV4_HEADERS, 0, host, 0, host, 49152, 1144))
                .isEqualTo(IcrcReference.stored(packet));
        assertThat(Integer.reverseBytes(IcrcReference.stored(packet))).isEqualTo(0x78f353f3);
        ByteBuffer b = GoldenPacket.direct(packet);
        assertThat(icrc.verify(b, IPV4_HEADERS, packet.length - IPV4_HEADERS, 0, host, 0, host, 49152, 4791))
                .isTrue();
        assertThat(icrc.solvedId()).isEqualTo(1144);
    }

    @Test
    void icrcMatchesPublishedPacketOverIpv6() {
        byte[] packet = GoldenPacket.bytes("published-uc-ipv6");
        long src = 0x2022_0000_0000_0000L;
        long dst = 0x2023_0000_0000_0000L;
        assertThat(appended(packet, IPV6_HEADERS, src, 0x1023, dst, 0x1024, 49152, 99))
                .as("IPv6 has no identification")
                .isEqualTo(IcrcReference.stored(packet));
        assertThat(Integer.reverseBytes(IcrcReference.stored(packet))).isEqualTo(0x3e5b743b);
        ByteBuffer b = GoldenPacket.direct(packet);
        int length = packet.length - IPV6_HEADERS;
        assertThat(icrc.verify(b, IPV6_HEADERS, length, src, 0x1023, dst, 0x1024, 49152, 4791))
                .isTrue();
        assertThat(icrc.solvedId()).isZero();
    }

    /** Packets of every opcode and many lengths, laid out as IP packets by {@link PcapFormat}. */
    @Test
    void icrcAgreesWithReference() {
        SplittableRandom random = new SplittableRandom(1);
        ByteBuffer b = ByteBuffer.allocateDirect(8192);
        ByteBuffer ip = ByteBuffer.allocate(8192);
        for (int i = 0; i < 4000; i++) {
            int opcode = random.nextInt(256);
            if (!Opcode.isKnown(opcode)) {
                continue;
            }
            int offset = random.nextInt(64);
            int length = TestPackets.any(b, offset, opcode, random.nextInt(i % 10 == 0 ? 4097 : 80), random);
            // Congestion marks are masked.
            b.put(offset + 4, (byte) random.nextInt());
            boolean ipv4 = random.nextBoolean();
            long srcHigh = ipv4 ? 0 : random.nextLong();
            long srcLow = ipv4 ? 0xffff_0000_0000L | random.nextLong(1L << 32) : random.nextLong();
            long dstHigh = ipv4 ? 0 : random.nextLong();
            long dstLow = ipv4 ? 0xffff_0000_0000L | random.nextLong(1L << 32) : random.nextLong();
            int srcPort = random.nextInt(1 << 16);
            int id = random.nextInt(1 << 16);
            icrc.append(b, offset, length, srcHigh, srcLow, dstHigh, dstLow, srcPort, 4791, id);
            int whole = length + Icrc.LENGTH;

            ip.clear();
            if (ipv4) {
                PcapFormat.ipv4(ip, whole, (int) srcLow, (int) dstLow, id);
            } else {
                PcapFormat.ipv6(ip, whole, srcHigh, srcLow, dstHigh, dstLow);
            }
            PcapFormat.udp(ip, whole, srcPort, 4791);
            byte[] packet = new byte[ip.position() + whole];
            ip.get(0, packet, 0, ip.position());
            b.get(offset, packet, ip.position(), whole);
            assertThat(IcrcReference.stored(packet)).isEqualTo(IcrcReference.compute(packet));
            assertThat(icrc.verify(b, offset, whole, srcHigh, srcLow, dstHigh, dstLow, srcPort, 4791))
                    .isTrue();
            assertThat(icrc.solvedId()).isEqualTo(ipv4 ? id : 0);
        }
    }

    /**
     * The kernel's rxe covers its headers, then everything once more without masking. This is accepted for FLUSH only.
     */
    @Test
    void flushMayBeCoveredTwice() {
        ByteBuffer b = ByteBuffer.allocateDirect(128);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 2000; i++) {
            int length = TestPackets.any(b, 0, Opcode.RC_FLUSH, 0, random);
            b.put(4, (byte) random.nextInt());
            int id = random.nextInt(1 << 16);
            if (i % 2 == 0) {
                icrc.append(b, 0, length, 0, TestPackets.V4_A, 0, TestPackets.V4_B, 49152, 4791, id, true);
                assertThat(Integer.reverseBytes(b.getInt(length))).isEqualTo(twiceOverIpv4(b, length, id));
                assertThat(TestPackets.verifyV4(icrc, b, 0, length)).isTrue();
                assertThat(icrc.solvedId()).isEqualTo(id);
            } else {
                long high = TestPackets.V6_HIGH_A;
                icrc.append(
                        b,
                        0,
                        length,
                        high,
                        TestPackets.V6_LOW_A,
                        TestPackets.V6_HIGH_B,
                        TestPackets.V6_LOW_B,
                        49152,
                        4791,
                        0,
                        true);
                assertThat(TestPackets.verifyV6(icrc, b, 0, length)).isTrue();
                b.put(length - 1, (byte) (b.get(length - 1) ^ 1));
                assertThat(TestPackets.verifyV6(icrc, b, 0, length)).isFalse();
            }
        }
        int length = TestPackets.any(b, 0, Opcode.RC_RDMA_READ_REQUEST, 0, random);
        icrc.append(
                b,
                0,
                length,
                TestPackets.V6_HIGH_A,
                TestPackets.V6_LOW_A,
                TestPackets.V6_HIGH_B,
                TestPackets.V6_LOW_B,
                49152,
                4791,
                0,
                true);
        assertThat(TestPackets.verifyV6(icrc, b, 0, length)).isFalse();
    }

    private static int twiceOverIpv4(ByteBuffer b, int length, int id) {
        ByteBuffer all = ByteBuffer.allocate(256);
        all.putLong(-1);
        ByteBuffer ip = ByteBuffer.allocate(64);
        PcapFormat.ipv4(ip, length + Icrc.LENGTH, (int) TestPackets.V4_A, (int) TestPackets.V4_B, id);
        ip.put(1, (byte) 0xff).put(8, (byte) 0xff).putShort(10, (short) -1);
        PcapFormat.udp(ip, length + Icrc.LENGTH, 49152, 4791);
        ip.putShort(26, (short) -1);
        all.put(ip.array(), 0, ip.position());
        int bth = all.position();
        byte[] packet = new byte[length];
        b.get(0, packet);
        all.put(packet).put(bth + 4, (byte) 0xff).put(packet);
        CRC32 crc = new CRC32();
        crc.update(all.array(), 0, all.position());
        return (int) crc.getValue();
    }

    /** One mapped address and one that is not mean IPv6, as for the sockets. */
    @Test
    void ipv4NeedsBothAddressesMapped() {
        ByteBuffer b = ByteBuffer.allocateDirect(64);
        SplittableRandom random = new SplittableRandom(2);
        int length = TestPackets.send(b, 0, 8, random);
        icrc.append(b, 0, length, 0, TestPackets.V4_A, TestPackets.V6_HIGH_B, TestPackets.V6_LOW_B, 1, 4791, 77);
        assertThat(icrc.verify(
                        b, 0, length + 4, 0, TestPackets.V4_A, TestPackets.V6_HIGH_B, TestPackets.V6_LOW_B, 1, 4791))
                .isTrue();
        assertThat(icrc.solvedId()).isZero();
    }

    @Test
    void heapBuffersAndPositionsAreSupported() {
        SplittableRandom random = new SplittableRandom(3);
        ByteBuffer b = ByteBuffer.allocate(200);
        b.position(50);
        int length = TestPackets.send(b, 20, 33, random);
        TestPackets.appendV4(icrc, b, 20, length, 0);
        assertThat(TestPackets.verifyV4(icrc, b, 20, length)).isTrue();
        assertThat(b.position()).isEqualTo(50);
        assertThat(b.limit()).isEqualTo(200);
    }

    @Test
    void largestPacketIsVerified() {
        SplittableRandom random = new SplittableRandom(4);
        ByteBuffer b = ByteBuffer.allocateDirect(70_000);
        int length = TestPackets.send(b, 0, Icrc.MAX_PACKET_LENGTH - 23, random);
        TestPackets.appendV4(icrc, b, 0, length, 0xabcd);
        assertThat(TestPackets.verifyV4(icrc, b, 0, length)).isTrue();
        assertThat(icrc.solvedId()).isEqualTo(0xabcd);
    }

    @Test
    void impossibleLengthsAreRefused() {
        ByteBuffer b = ByteBuffer.allocateDirect(100);
        for (int length : new int[] {Integer.MIN_VALUE, -1, 0, 4, 15, 101, 70_000, Integer.MAX_VALUE}) {
            assertThat(icrc.verify(b, 0, length, 0, 0, 0, 0, 0, 0)).isFalse();
            assertThat(icrc.solvedId()).isEqualTo(Icrc.NO_ID);
        }
        assertThat(icrc.verify(b, -1, 20, 0, 0, 0, 0, 0, 0)).isFalse();
        assertThat(icrc.verify(b, 90, 20, 0, 0, 0, 0, 0, 0)).isFalse();
        b.limit(30);
        assertThat(icrc.verify(b, 20, 20, 0, 0, 0, 0, 0, 0)).isFalse();
    }

    /** Returns the CRC that {@link Icrc#append} writes over that of a golden packet. */
    private int appended(
            byte[] packet, int headers, long srcHigh, long srcLow, long dstHigh, long dstLow, int srcPort, int id) {
        ByteBuffer b = GoldenPacket.direct(packet);
        b.putInt(packet.length - 4, 0);
        icrc.append(b, headers, packet.length - headers - 4, srcHigh, srcLow, dstHigh, dstLow, srcPort, 4791, id);
        byte[] result = new byte[packet.length];
        b.get(0, result);
        return IcrcReference.stored(result);
    }
}
