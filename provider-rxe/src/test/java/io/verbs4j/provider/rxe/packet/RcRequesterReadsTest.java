/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.wire.Opcode;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The sending half of RC against a scripted peer: reads and atomics. */
class RcRequesterReadsTest extends RequesterRig {
    // ---- reads

    @Test
    void readTakesPsnPerResponse() {
        start();
        read(1, 5000, 2500);
        Received r = peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN);
        assertThat(r.packet.rethVa()).isEqualTo(VA);
        assertThat(r.packet.rethRkey()).isEqualTo(RKEY);
        assertThat(r.packet.rethLength()).isEqualTo(2500);
        subject.post(WrOpcode.SEND, 2, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN + 3);
        byte[] data = bytes(2500, 9);
        readAnswer(PSN, data, 0, 3);
        assertThat(subject.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(2500);
        assertThat(subject.get(5000, 2500)).isEqualTo(data);
        peer.ack(PSN + 3);
        subject.next(2, WcStatus.SUCCESS);
    }

    /** Sends responses from one packet up to another (exclusive), as if requested together. */
    private void readAnswer(int firstPsn, byte[] data, int from, int to) {
        for (int i = from; i < to; i++) {
            int opcode = i == to - 1
                    ? i == from ? Opcode.RC_RDMA_READ_RESPONSE_ONLY : Opcode.RC_RDMA_READ_RESPONSE_LAST
                    : i == from ? Opcode.RC_RDMA_READ_RESPONSE_FIRST : Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
            byte[] part = java.util.Arrays.copyOfRange(data, i * MTU, Math.min(data.length, (i + 1) * MTU));
            peer.readResponse(opcode, firstPsn + i, part);
        }
    }

    @Test
    void emptyReadIsAnswered() {
        start();
        read(1, 0, 0);
        assertThat(peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN).packet.rethLength())
                .isZero();
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN, new byte[0]);
        subject.next(1, WcStatus.SUCCESS);
    }

    @Test
    void missingResponseIsRequestedAgainWithTheRest() {
        start();
        read(1, 0, 5 * MTU);
        peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN);
        byte[] data = bytes(5 * MTU, 9);
        readAnswer(PSN, data, 0, 2);
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, PSN + 3, bytes(MTU, 0));
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_LAST, PSN + 4, bytes(MTU, 0));
        Received r = peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN + 2);
        assertThat(r.packet.rethVa()).isEqualTo(VA + 2 * MTU);
        assertThat(r.packet.rethLength()).isEqualTo(3 * MTU);
        peer.silence(); // once, though two packets showed the loss
        readAnswer(PSN, data, 2, 5);
        subject.next(1, WcStatus.SUCCESS);
        assertThat(subject.get(0, data.length)).isEqualTo(data);
    }

    @Test
    void acknowledgementBeyondReadMeansLostResponses() {
        start();
        subject.post(WrOpcode.SEND, 1, 0, 10);
        read(2, 0, 2 * MTU);
        subject.post(WrOpcode.SEND, 3, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN + 1);
        peer.next(Opcode.RC_SEND_ONLY, PSN + 3);
        peer.ack(PSN + 3);
        subject.next(1, WcStatus.SUCCESS);
        peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN + 1);
        peer.next(Opcode.RC_SEND_ONLY, PSN + 3);
        readAnswer(PSN + 1, bytes(2 * MTU, 9), 0, 2);
        subject.next(2, WcStatus.SUCCESS);
        subject.nothingCompletes();
        peer.ack(PSN + 3);
        subject.next(3, WcStatus.SUCCESS);
    }

    @Test
    void readResponseAcknowledgesEarlierSends() {
        start();
        subject.post(WrOpcode.SEND, 1, 0, 10);
        read(2, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN + 1, bytes(10, 9));
        subject.next(1, WcStatus.SUCCESS);
        subject.next(2, WcStatus.SUCCESS);
    }

    @Test
    void responseOfWrongLengthFails() {
        start();
        read(1, 0, 2 * MTU);
        peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN);
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, PSN, bytes(MTU - 4, 9));
        subject.next(1, WcStatus.BAD_RESP_ERR);
        assertThat(subject.get(0, MTU)).isEqualTo(bytes(MTU, 1));
    }

    @Test
    void largeReadIsRequestedInParts() {
        start();
        int total = 1 << 20;
        read(1, 0, total);
        byte[] data = bytes(total, 9);
        int packets = total / MTU;
        int asked = 0;
        int answered = 0;
        while (answered < packets) {
            Received r = peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN + asked);
            assertThat(r.packet.rethVa()).isEqualTo(VA + (long) asked * MTU);
            int n = (int) r.packet.rethLength() / MTU;
            asked += n;
            assertThat(asked - answered).isLessThanOrEqualTo(512);
            readAnswer(PSN, data, answered, answered + n);
            answered += n;
        }
        assertThat(subject.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(total);
        assertThat(subject.get(0, total)).isEqualTo(data);
    }

    @Test
    void readsInFlightAreLimitedByPeer() {
        start(PSN, s -> s.maxRdAtomic = 2);
        for (int i = 0; i < 4; i++) {
            read(i, i * 100, 100);
        }
        peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN);
        peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN + 1);
        peer.silence();
        readAnswer(PSN, bytes(100, 9), 0, 1);
        peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN + 2);
        peer.silence();
        subject.next(0, WcStatus.SUCCESS);
    }

    @Test
    void fenceWaitsForReads() {
        start();
        read(1, 0, 100);
        subject.post(WrOpcode.SEND, 2, 0, 10);
        subject.post(subject.wr(WrOpcode.SEND, 3, 0, 20).sendFlags(SendFlags.SIGNALED | SendFlags.FENCE));
        peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN);
        peer.next(Opcode.RC_SEND_ONLY, PSN + 1);
        peer.silence();
        readAnswer(PSN, bytes(100, 9), 0, 1);
        assertThat(peer.next(Opcode.RC_SEND_ONLY, PSN + 2).payload).hasSize(20);
        peer.ack(PSN + 2);
        subject.next(1, WcStatus.SUCCESS);
        subject.next(2, WcStatus.SUCCESS);
        subject.next(3, WcStatus.SUCCESS);
    }

    @Test
    void deregisteredMemoryFailsRead() {
        start();
        MemoryRegion mr = subject.pd.regMr(ByteBuffer.allocateDirect(64), Subject.ALL);
        subject.post(subject.wr(WrOpcode.RDMA_READ, 1, 0, 0)
                .sgList(ScatterGatherElement.of(mr))
                .remoteAddr(VA)
                .rkey(RKEY));
        peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN);
        mr.close();
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN, bytes(64, 9));
        subject.next(1, WcStatus.LOC_PROT_ERR);
    }

    // ---- atomics

    @Test
    void atomicsCarryOperandsAndReturnOriginal() {
        start();
        subject.post(subject.wr(WrOpcode.ATOMIC_CMP_AND_SWP, 1, 0, 8)
                .remoteAddr(VA)
                .rkey(RKEY)
                .compareAdd(7)
                .swap(8));
        subject.post(subject.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 2, 8, 8)
                .remoteAddr(VA + 8)
                .rkey(RKEY)
                .compareAdd(-3));
        Received swap = peer.next(Opcode.RC_COMPARE_SWAP, PSN);
        assertThat(swap.packet.atomicVa()).isEqualTo(VA);
        assertThat(swap.packet.atomicRkey()).isEqualTo(RKEY);
        assertThat(swap.packet.compare()).isEqualTo(7);
        assertThat(swap.packet.swapAdd()).isEqualTo(8);
        assertThat(peer.next(Opcode.RC_FETCH_ADD, PSN + 1).packet.swapAdd()).isEqualTo(-3);
        peer.atomicResponse(PSN + 1, 99); // the first response is lost
        peer.next(Opcode.RC_COMPARE_SWAP, PSN);
        peer.next(Opcode.RC_FETCH_ADD, PSN + 1);
        peer.atomicResponse(PSN, 0x1122334455667788L);
        peer.atomicResponse(PSN + 1, 55);
        assertThat(subject.next(1, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.COMP_SWAP);
        assertThat(subject.next(2, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.FETCH_ADD);
        assertThat(subject.buffer.getLong(0)).isEqualTo(0x1122334455667788L);
        assertThat(subject.buffer.getLong(8)).isEqualTo(55);
    }
}
