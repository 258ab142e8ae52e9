/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.RemoteMemory;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sending half of RC: answers to reads that a peer lends instead of sending them. */
class RcRequesterLentReadsTest extends RequesterRig {
    private static final int FIRST = Opcode.RC_RDMA_READ_RESPONSE_FIRST;
    private static final int LAST = Opcode.RC_RDMA_READ_RESPONSE_LAST;
    private static final int ONLY = Opcode.RC_RDMA_READ_RESPONSE_ONLY;

    /** Memory of the peer, from where a copy fails beyond a point. */
    private static final class Lent implements RemoteMemory {
        private final byte[] data;
        private final long bytes;
        private final int readable;

        Lent(byte[] data, long bytes, int readable) {
            this.data = data;
            this.bytes = bytes;
            this.readable = readable;
        }

        static Lent all(byte[] data) {
            return new Lent(data, data.length, data.length);
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public boolean fetch(long offset, long to, long count) {
            int n = (int) Math.min(count, readable - offset);
            for (int i = 0; i < n; i++) {
                NativeMemory.putByte(to + i, data[(int) offset + i]);
            }
            return n == count;
        }
    }

    private static Packet packet(int opcode, int psn, RemoteMemory lent) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        int length = Opcode.headerLength(opcode);
        Bth.write(buffer, 0, opcode, false, false, 0, Bth.DEFAULT_PKEY, 0, false, psn);
        if (Opcode.hasAeth(opcode)) {
            Aeth.write(buffer, Bth.LENGTH, Aeth.ACK_UNLIMITED, 0);
        }
        Packet packet = new Packet();
        assertThat(packet.parse(buffer, 0, length + Icrc.LENGTH)).isEqualTo(Packet.OK);
        packet.remote(lent);
        return packet;
    }

    private void answer(int opcode, int psn, RemoteMemory lent) {
        RcPath path = (RcPath) ((RxeQueuePair) subject.qp).qp.path();
        path.onPacket(packet(opcode, psn, lent));
        path.burstEnded(false);
    }

    private void asked(int psn, int offset, int length) {
        Received r = peer.next(Opcode.RC_RDMA_READ_REQUEST, psn);
        assertThat(r.packet.rethVa()).isEqualTo(VA + offset);
        assertThat(r.packet.rethLength()).isEqualTo(length);
    }

    @Test
    void readCompletesByOneAnswer() {
        start();
        read(1, 5000, 20_500);
        asked(PSN, 0, 20_500);
        byte[] data = bytes(20_500, 9);
        answer(ONLY, PSN, Lent.all(data));
        assertThat(subject.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(20_500);
        assertThat(subject.get(5000, 20_500)).isEqualTo(data);
        read(2, 0, 10);
        asked(PSN + 21, 0, 10);
    }

    @Test
    void packetsAndLentPartsMakeOneRead() {
        start();
        read(1, 0, 20 * MTU);
        asked(PSN, 0, 20 * MTU);
        byte[] data = bytes(20 * MTU, 9);
        peer.readResponse(FIRST, PSN, Arrays.copyOf(data, MTU));
        subject.awaitCount(TransportCounters.GHOST_RESPONSE, 0);
        awaitFirst(data[0]);
        answer(LAST, PSN + 1, Lent.all(Arrays.copyOfRange(data, MTU, 20 * MTU)));
        subject.next(1, WcStatus.SUCCESS);
        assertThat(subject.get(0, data.length)).isEqualTo(data);
    }

    /** The packet has come by the socket, and what follows by a ring. */
    private void awaitFirst(byte value) {
        while (subject.get(MTU - 1, 1)[0] == bytes(BYTES, 1)[MTU - 1] || subject.get(0, 1)[0] != value) {
            subject.cq.poll(0, new WorkCompletion[0]);
        }
    }

    @ParameterizedTest
    @CsvSource({"20481, 20 packets and a byte", "10000, no whole number of packets", "21504, 21 packets"})
    void answerOfWrongLengthFails(int length, String what) {
        start();
        read(1, 0, 20 * MTU);
        asked(PSN, 0, 20 * MTU);
        answer(ONLY, PSN, Lent.all(bytes(length, 9)));
        subject.next(1, WcStatus.BAD_RESP_ERR);
        assertThat(subject.get(0, MTU)).as(what).isEqualTo(bytes(MTU, 1));
    }

    /** A large read is requested in parts: what was not requested yet is not answered. */
    @Test
    void answerBeyondRequestedPartFails() {
        start();
        read(1, 0, 1 << 20);
        int part = (int) peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN).packet.rethLength();
        int both = part
                + (int) peer.next(Opcode.RC_RDMA_READ_REQUEST, PSN + part / MTU)
                        .packet
                        .rethLength();
        assertThat(both).isLessThan(1 << 20);
        answer(FIRST, PSN, Lent.all(bytes(both + MTU, 9)));
        subject.next(1, WcStatus.BAD_RESP_ERR);
        assertThat(subject.get(0, MTU)).isEqualTo(bytes(MTU, 1));
    }

    /** The peer took its memory back; it answers in packets then. Nothing was lost, so no retry is needed. */
    @ParameterizedTest
    @CsvSource({"0", "7"})
    void answerTakenBackIsRequestedAgain(int retryCnt) {
        start(PSN, s -> s.retryCnt = retryCnt);
        read(1, 0, 20 * MTU);
        asked(PSN, 0, 20 * MTU);
        byte[] data = bytes(20 * MTU, 9);
        answer(ONLY, PSN, new Lent(data, data.length, 3000));
        asked(PSN, 0, 20 * MTU);
        assertThat(subject.counters().get(TransportCounters.LOST_SPAN)).isEqualTo(1);
        answer(ONLY, PSN, new Lent(data, data.length, 0)); // late: it is not requested a third time
        peer.silence();
        answer(FIRST, PSN, new Lent(data, 8 * MTU, 8 * MTU));
        answer(LAST, PSN + 8, Lent.all(Arrays.copyOfRange(data, 8 * MTU, 20 * MTU)));
        subject.next(1, WcStatus.SUCCESS);
        assertThat(subject.get(0, data.length)).isEqualTo(data);
    }

    @Test
    void memoryThatIsGoneFailsTheRead() {
        start();
        read(1, 0, 20 * MTU);
        asked(PSN, 0, 20 * MTU);
        subject.mr.close();
        answer(ONLY, PSN, Lent.all(bytes(20 * MTU, 9)));
        subject.next(1, WcStatus.LOC_PROT_ERR);
    }

    @Test
    void lentAnswerAcknowledgesEarlierRequests() {
        start();
        subject.post(WrOpcode.SEND, 1, 0, 10);
        read(2, 0, 10 * MTU);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        asked(PSN + 1, 0, 10 * MTU);
        answer(ONLY, PSN + 1, Lent.all(bytes(10 * MTU, 9)));
        subject.next(1, WcStatus.SUCCESS);
        subject.next(2, WcStatus.SUCCESS);
    }
}
