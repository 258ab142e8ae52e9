/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Packets written by hand from the specification: our writers produce these bytes, and our readers find these values.
 */
class GoldenPacketTest {
    private final ByteBuffer out = ByteBuffer.allocateDirect(128);

    @Test
    void sendOnlyMatchesGoldenPacket() {
        Packet p = GoldenPacket.parse("rc-send-only");
        assertThat(p.opcode()).isEqualTo(Opcode.RC_SEND_ONLY);
        assertThat(p.solicited()).isTrue();
        assertThat(p.migReq()).isTrue();
        assertThat(p.padCount()).isEqualTo(3);
        assertThat(p.pkey()).isEqualTo(0xffff);
        assertThat(p.destQpn()).isEqualTo(0x12ab);
        assertThat(p.ackReq()).isTrue();
        assertThat(p.psn()).isEqualTo(0xfffffe);
        assertThat(p.payloadOffset()).isEqualTo(12);
        assertThat(p.payloadLength()).isEqualTo(5);
        Bth.write(out, 0, Opcode.RC_SEND_ONLY, true, true, 3, 0xffff, 0x12ab, true, 0xfffffe);
        assertWritten("rc-send-only");
    }

    @Test
    void writeOnlyWithImmediateMatchesGoldenPacket() {
        Packet p = GoldenPacket.parse("rc-write-only-imm");
        assertThat(p.opcode()).isEqualTo(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMM);
        assertThat(p.solicited()).isFalse();
        assertThat(p.pkey()).isEqualTo(0x7fff);
        assertThat(p.rethVa()).isEqualTo(0x7f0012345678L);
        assertThat(p.rethRkey()).isEqualTo(0xaabb);
        assertThat(p.rethLength()).isEqualTo(4);
        assertThat(p.immData()).isEqualTo(0xdeadbeef);
        assertThat(p.payloadLength()).isEqualTo(4);
        assertThat(p.buffer().getInt(p.payloadOffset())).isEqualTo(0xcafebabe);
        Bth.write(out, 0, Opcode.RC_RDMA_WRITE_ONLY_WITH_IMM, false, true, 0, 0x7fff, 14, false, 1);
        Reth.write(out, 12, 0x7f0012345678L, 0xaabb, 4);
        ImmDt.write(out, 28, 0xdeadbeef);
        assertWritten("rc-write-only-imm");
    }

    @Test
    void writeFirstMatchesGoldenPacket() {
        Packet p = GoldenPacket.parse("rc-write-first");
        assertThat(p.opcode()).isEqualTo(Opcode.RC_RDMA_WRITE_FIRST);
        assertThat(p.destQpn()).isEqualTo(0xffffff);
        assertThat(p.psn()).isEqualTo(0x800000);
        assertThat(p.rethVa()).isEqualTo(0xffffffffffffff00L);
        assertThat(p.rethRkey()).isEqualTo(0x80000001);
        assertThat(p.rethLength()).isEqualTo(0xffffffffL);
        Bth.write(out, 0, Opcode.RC_RDMA_WRITE_FIRST, false, true, 0, 0xffff, 0xffffff, false, 0x800000);
        Reth.write(out, 12, 0xffffffffffffff00L, 0x80000001, 0xffffffffL);
        assertWritten("rc-write-first");
    }

    @Test
    void readRequestMatchesGoldenPacket() {
        Packet p = GoldenPacket.parse("rc-read-request");
        assertThat(p.opcode()).isEqualTo(Opcode.RC_RDMA_READ_REQUEST);
        assertThat(p.rethVa()).isEqualTo(0x10000000L);
        assertThat(p.rethRkey()).isEqualTo(0x1234);
        assertThat(p.rethLength()).isEqualTo(65536);
        assertThat(p.payloadLength()).isZero();
        Bth.write(out, 0, Opcode.RC_RDMA_READ_REQUEST, false, true, 0, 0xffff, 0x11, true, 10);
        Reth.write(out, 12, 0x10000000L, 0x1234, 65536);
        assertWritten("rc-read-request");
    }

    @Test
    void readResponsesMatchGoldenPackets() {
        Packet p = GoldenPacket.parse("rc-read-response-first");
        assertThat(p.opcode()).isEqualTo(Opcode.RC_RDMA_READ_RESPONSE_FIRST);
        assertThat(p.aethSyndrome()).isEqualTo(Aeth.ACK_UNLIMITED);
        assertThat(p.aethMsn()).isEqualTo(7);
        assertThat(p.payloadOffset()).isEqualTo(16);
        Bth.write(out, 0, Opcode.RC_RDMA_READ_RESPONSE_FIRST, false, true, 0, 0xffff, 0x12, false, 10);
        Aeth.write(out, 12, Aeth.ack(Aeth.CREDITS_UNLIMITED), 7);
        assertWritten("rc-read-response-first");

        Packet middle = GoldenPacket.parse("rc-read-response-middle");
        assertThat(middle.opcode()).isEqualTo(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE);
        assertThat(middle.payloadOffset()).isEqualTo(12);
        assertThat(middle.payloadLength()).isEqualTo(4);
    }

    @Test
    void acknowledgeMatchesGoldenPacket() {
        Packet p = GoldenPacket.parse("rc-ack");
        assertThat(p.opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
        assertThat(Aeth.isAck(p.aethSyndrome())).isTrue();
        assertThat(Aeth.credits(Aeth.value(p.aethSyndrome()))).isEqualTo(64);
        assertThat(p.aethMsn()).isEqualTo(0xffffff);
        Bth.write(out, 0, Opcode.RC_ACKNOWLEDGE, false, true, 0, 0xffff, 0x12, false, 0xff);
        Aeth.write(out, 12, Aeth.ack(Aeth.creditCode(64)), -1);
        assertWritten("rc-ack");
    }

    @Test
    void rnrNakMatchesGoldenPacket() {
        Packet p = GoldenPacket.parse("rc-rnr-nak");
        assertThat(Aeth.isRnrNak(p.aethSyndrome())).isTrue();
        assertThat(Aeth.rnrTimerNanos(Aeth.value(p.aethSyndrome()))).isEqualTo(640_000);
        Bth.write(out, 0, Opcode.RC_ACKNOWLEDGE, false, true, 0, 0xffff, 0x12, false, 0x100);
        Aeth.write(out, 12, Aeth.rnrNak(12), 2);
        assertWritten("rc-rnr-nak");
    }

    @Test
    void nakMatchesGoldenPacket() {
        Packet p = GoldenPacket.parse("rc-nak");
        assertThat(Aeth.isNak(p.aethSyndrome())).isTrue();
        assertThat(Aeth.value(p.aethSyndrome())).isEqualTo(Aeth.NAK_REMOTE_ACCESS_ERROR);
        Bth.write(out, 0, Opcode.RC_ACKNOWLEDGE, false, true, 0, 0xffff, 0x12, false, 0x101);
        Aeth.write(out, 12, Aeth.nak(Aeth.NAK_REMOTE_ACCESS_ERROR), 3);
        assertWritten("rc-nak");
    }

    @Test
    void atomicRequestMatchesGoldenPacket() {
        Packet p = GoldenPacket.parse("rc-compare-swap");
        assertThat(p.opcode()).isEqualTo(Opcode.RC_COMPARE_SWAP);
        assertThat(p.atomicVa()).isEqualTo(0x7fff00000008L);
        assertThat(p.atomicRkey()).isEqualTo(0x42);
        assertThat(p.swapAdd()).isEqualTo(0x1111111111111111L);
        assertThat(p.compare()).isEqualTo(0x2222222222222222L);
        Bth.write(out, 0, Opcode.RC_COMPARE_SWAP, false, true, 0, 0xffff, 0x13, true, 0x200);
        AtomicEth.write(out, 12, 0x7fff00000008L, 0x42, 0x1111111111111111L, 0x2222222222222222L);
        assertWritten("rc-compare-swap");
    }

    @Test
    void atomicAcknowledgeMatchesGoldenPacket() {
        Packet p = GoldenPacket.parse("rc-atomic-ack");
        assertThat(p.opcode()).isEqualTo(Opcode.RC_ATOMIC_ACKNOWLEDGE);
        assertThat(p.aethMsn()).isEqualTo(9);
        assertThat(p.atomicOrig()).isEqualTo(0x8000000000000001L);
        Bth.write(out, 0, Opcode.RC_ATOMIC_ACKNOWLEDGE, false, true, 0, 0xffff, 0x14, false, 0x200);
        Aeth.write(out, 12, Aeth.ACK_UNLIMITED, 9);
        AtomicAckEth.write(out, 16, 0x8000000000000001L);
        assertWritten("rc-atomic-ack");
    }

    @Test
    void sendWithInvalidateMatchesGoldenPacket() {
        Packet p = GoldenPacket.parse("rc-send-last-inv");
        assertThat(p.opcode()).isEqualTo(Opcode.RC_SEND_LAST_WITH_INV);
        assertThat(p.invalidateRkey()).isEqualTo(0x0badcafe);
        assertThat(p.payloadLength()).isEqualTo(4);
        Bth.write(out, 0, Opcode.RC_SEND_LAST_WITH_INV, true, true, 0, 0xffff, 0x15, true, 0x300);
        Ieth.write(out, 12, 0x0badcafe);
        assertWritten("rc-send-last-inv");
    }

    @Test
    void datagramMatchesGoldenPacket() {
        Packet p = GoldenPacket.parse("ud-send-only-imm");
        assertThat(p.opcode()).isEqualTo(Opcode.UD_SEND_ONLY_WITH_IMM);
        assertThat(p.qkey()).isEqualTo(Deth.GSI_QKEY);
        assertThat(p.srcQpn()).isEqualTo(0x17);
        assertThat(p.immData()).isEqualTo(0x99);
        assertThat(p.padCount()).isEqualTo(2);
        assertThat(p.payloadLength()).isEqualTo(2);
        Bth.write(out, 0, Opcode.UD_SEND_ONLY_WITH_IMM, false, false, 2, 0xffff, 1, false, 5);
        Deth.write(out, 12, Deth.GSI_QKEY, 0x17);
        ImmDt.write(out, 20, 0x99);
        assertWritten("ud-send-only-imm");
    }

    /** Captured packets of real adapters are parsed with the values that their publishers found. */
    @Test
    void capturedPacketsAreParsed() {
        byte[] write = GoldenPacket.bytes("capture-roce1-write");
        Packet p = new Packet();
        assertThat(p.parse(GoldenPacket.direct(write), 40, write.length - 40)).isEqualTo(Packet.OK);
        assertThat(p.opcode()).isEqualTo(Opcode.RC_RDMA_WRITE_ONLY);
        assertThat(p.padCount()).isEqualTo(3);
        assertThat(p.destQpn()).isEqualTo(0x10a);
        assertThat(p.ackReq()).isTrue();
        assertThat(p.rethLength()).isEqualTo(5);
        assertThat(p.payloadLength()).isEqualTo(5);

        byte[] ack = GoldenPacket.bytes("capture-roce1-ack");
        assertThat(p.parse(GoldenPacket.direct(ack), 40, ack.length - 40)).isEqualTo(Packet.OK);
        assertThat(p.opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
        assertThat(p.destQpn()).isEqualTo(0x109);
        assertThat(p.aethSyndrome()).isZero();
        assertThat(p.aethMsn()).isEqualTo(5);

        byte[] cnp = GoldenPacket.bytes("capture-cnp");
        assertThat(p.parse(GoldenPacket.direct(cnp), 28, cnp.length - 28)).isEqualTo(Packet.CONGESTION_NOTIFICATION);
        assertThat(Bth.becn(GoldenPacket.direct(cnp), 28)).isTrue();
        assertThat(Bth.fecn(GoldenPacket.direct(cnp), 28)).isFalse();
    }

    /** Asserts that the headers in {@link #out} are those of the golden packet. */
    private void assertWritten(String name) {
        byte[] expected = GoldenPacket.bytes(name);
        int length = Opcode.headerLength(expected[0]);
        byte[] written = new byte[length];
        out.get(0, written);
        HexFormat hex = HexFormat.of();
        assertThat(hex.formatHex(written)).isEqualTo(hex.formatHex(Arrays.copyOf(expected, length)));
    }
}
