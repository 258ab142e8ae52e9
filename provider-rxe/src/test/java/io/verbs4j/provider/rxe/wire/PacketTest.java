/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PacketTest {
    private static final int AT = 12;

    private final ByteBuffer b = ByteBuffer.allocateDirect(8192);
    private final Packet packet = new Packet();
    private final SplittableRandom random = new SplittableRandom(8);

    static IntStream opcodes() {
        return IntStream.range(0, 256).filter(Opcode::isKnown);
    }

    @ParameterizedTest
    @MethodSource("opcodes")
    void everyOpcodeAndLengthIsParsed(int opcode) {
        for (int payload = 0; payload <= 4096; payload += payload < 70 ? 1 : 61) {
            int length = TestPackets.any(b, AT, opcode, payload, random) + Icrc.LENGTH;
            assertThat(packet.parse(b, AT, length)).isEqualTo(Packet.OK);
            assertThat(packet.opcode()).isEqualTo(opcode);
            assertThat(packet.buffer()).isSameAs(b);
            assertThat(packet.offset()).isEqualTo(AT);
            assertThat(packet.length()).isEqualTo(length);
            assertThat(packet.payloadOffset()).isEqualTo(AT + Opcode.headerLength(opcode));
            assertThat(packet.payloadLength()).isEqualTo(Opcode.hasPayload(opcode) ? payload : 0);
            assertThat(packet.psn()).isEqualTo(Bth.psn(b, AT));
        }
    }

    /** Truncated anywhere, a packet is refused or, if its payload may be shorter, stays within its bounds. */
    @ParameterizedTest
    @MethodSource("opcodes")
    void truncatedPacketsAreRefused(int opcode) {
        int whole = TestPackets.any(b, AT, opcode, 16, random) + Icrc.LENGTH;
        for (int length = -1; length < whole; length++) {
            int reason = packet.parse(b, AT, length);
            if (length < Opcode.headerLength(opcode) + Icrc.LENGTH) {
                assertThat(reason).isEqualTo(Packet.TRUNCATED);
            } else {
                assertThat(reason).isEqualTo(length % 4 == whole % 4 ? Packet.OK : Packet.BAD_PAD);
            }
        }
    }

    @Test
    void packetBeyondBufferIsRefused() {
        int length = TestPackets.send(b, AT, 16, random) + Icrc.LENGTH;
        b.limit(AT + length);
        assertThat(packet.parse(b, AT, length)).isEqualTo(Packet.OK);
        b.limit(AT + length - 1);
        assertThat(packet.parse(b, AT, length)).isEqualTo(Packet.TRUNCATED);
        b.clear();
        assertThat(packet.parse(b, -1, length)).isEqualTo(Packet.TRUNCATED);
        assertThat(packet.parse(b, Integer.MAX_VALUE, length)).isEqualTo(Packet.TRUNCATED);
        assertThat(packet.parse(b, AT, Integer.MAX_VALUE)).isEqualTo(Packet.TRUNCATED);
        assertThat(packet.parse(b, Integer.MAX_VALUE, Integer.MAX_VALUE)).isEqualTo(Packet.TRUNCATED);
        assertThat(packet.parse(b, Integer.MIN_VALUE, Integer.MIN_VALUE)).isEqualTo(Packet.TRUNCATED);
        assertThat(packet.parse(ByteBuffer.allocate(0), 0, 16)).isEqualTo(Packet.TRUNCATED);
    }

    @Test
    void unknownVersionsAreRefused() {
        int length = TestPackets.send(b, AT, 16, random) + Icrc.LENGTH;
        byte flags = b.get(AT + 1);
        for (int version = 1; version < 16; version++) {
            b.put(AT + 1, (byte) (flags | version));
            assertThat(packet.parse(b, AT, length)).isEqualTo(Packet.BAD_VERSION);
        }
    }

    @Test
    void unknownOpcodesAreRefused() {
        for (int opcode = 0; opcode < 256; opcode++) {
            if (!Opcode.isKnown(opcode)) {
                Bth.write(b, AT, opcode, false, false, 0, 0xffff, 0, false, 0);
                assertThat(packet.parse(b, AT, 64))
                        .isEqualTo(opcode == Opcode.CNP ? Packet.CONGESTION_NOTIFICATION : Packet.UNKNOWN_OPCODE);
            }
        }
    }

    @Test
    void xrcHeaderPrecedesOthers() {
        Bth.write(b, AT, Opcode.XRC | Opcode.RC_RDMA_WRITE_ONLY_WITH_IMM, false, false, 0, 0xffff, 0, false, 0);
        Xrceth.write(b, AT + Bth.LENGTH, 0xabcdef);
        Reth.write(b, AT + Bth.LENGTH + Xrceth.LENGTH, 0x1122334455667788L, 0x99aabbcc, 8);
        ImmDt.write(b, AT + Bth.LENGTH + Xrceth.LENGTH + Reth.LENGTH, 77);
        int headers = Bth.LENGTH + Xrceth.LENGTH + Reth.LENGTH + ImmDt.LENGTH;
        assertThat(packet.parse(b, AT, headers + 8 + Icrc.LENGTH)).isEqualTo(Packet.OK);
        assertThat(packet.xrcSrqNum()).isEqualTo(0xabcdef);
        assertThat(packet.rethVa()).isEqualTo(0x1122334455667788L);
        assertThat(packet.rethRkey()).isEqualTo(0x99aabbcc);
        assertThat(packet.rethLength()).isEqualTo(8);
        assertThat(packet.immData()).isEqualTo(77);
        assertThat(packet.payloadOffset()).isEqualTo(AT + headers);
        assertThat(packet.payloadLength()).isEqualTo(8);
        Bth.write(b, AT, Opcode.XRC | Opcode.RC_ACKNOWLEDGE, false, false, 0, 0xffff, 0, false, 0);
        Aeth.write(b, AT + Bth.LENGTH, Aeth.ACK_UNLIMITED, 5);
        assertThat(packet.parse(b, AT, Bth.LENGTH + Aeth.LENGTH + Icrc.LENGTH)).isEqualTo(Packet.OK);
        assertThat(packet.xrcSrqNum()).isZero();
        assertThat(packet.aethMsn()).isEqualTo(5);
    }

    @Test
    void paddingIsChecked() {
        for (int body = 0; body <= 8; body++) {
            for (int pad = 0; pad < 4; pad++) {
                Bth.write(b, AT, Opcode.RC_SEND_ONLY, false, false, pad, 0xffff, 0, false, 0);
                boolean good = body % 4 == 0 && pad <= body;
                assertThat(packet.parse(b, AT, Packet.MIN_LENGTH + body)).isEqualTo(good ? Packet.OK : Packet.BAD_PAD);
                if (good) {
                    assertThat(packet.payloadLength()).isEqualTo(body - pad);
                }
            }
        }
    }

    @Test
    void packetsWithoutPayloadEndAfterHeaders() {
        opcodes().filter(opcode -> !Opcode.hasPayload(opcode)).forEach(opcode -> {
            int length = TestPackets.any(b, AT, opcode, 0, random) + Icrc.LENGTH;
            assertThat(packet.parse(b, AT, length)).isEqualTo(Packet.OK);
            assertThat(packet.parse(b, AT, length + 4)).isEqualTo(Packet.BAD_LENGTH);
            Bth.write(b, AT, opcode, false, false, 1, 0xffff, 0, false, 0);
            assertThat(packet.parse(b, AT, length)).isEqualTo(Packet.BAD_PAD);
        });
    }

    @Test
    void refusedPacketLeavesViewUnchanged() {
        int length = TestPackets.send(b, AT, 16, random) + Icrc.LENGTH;
        assertThat(packet.parse(b, AT, length)).isEqualTo(Packet.OK);
        assertThat(packet.parse(b, 1000, 3)).isEqualTo(Packet.TRUNCATED);
        assertThat(packet.offset()).isEqualTo(AT);
        assertThat(packet.payloadLength()).isEqualTo(16);
    }

    @Test
    void addressesAreKept() {
        packet.source(1, 2, 3);
        packet.destination(4, 5);
        assertThat(packet.sourceGidHigh()).isEqualTo(1);
        assertThat(packet.sourceGidLow()).isEqualTo(2);
        assertThat(packet.sourcePort()).isEqualTo(3);
        assertThat(packet.destinationGidHigh()).isEqualTo(4);
        assertThat(packet.destinationGidLow()).isEqualTo(5);
    }

    @Test
    void reasonsHaveNames() {
        assertThat(IntStream.range(0, Packet.REASON_COUNT).mapToObj(Packet::reasonName))
                .doesNotContainNull()
                .doesNotHaveDuplicates();
        assertThat(Packet.reasonName(-1)).isEqualTo("reason -1");
        assertThat(Packet.reasonName(Packet.REASON_COUNT)).startsWith("reason");
    }

    @Test
    void randomPacketsAreParsedSafely() {
        long[] reasons = PacketFuzzProgram.run(500_000, 4791);
        assertThat(reasons[Packet.OK]).isGreaterThan(100_000);
        for (int reason : new int[] {
            Packet.TRUNCATED, Packet.BAD_VERSION, Packet.UNKNOWN_OPCODE, Packet.BAD_PAD, Packet.BAD_LENGTH
        }) {
            assertThat(reasons[reason]).as(Packet.reasonName(reason)).isGreaterThan(500);
        }
    }
}
