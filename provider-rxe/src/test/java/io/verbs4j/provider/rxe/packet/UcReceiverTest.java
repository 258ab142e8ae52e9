/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.testsupport.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** UC against a scripted peer. */
class UcReceiverTest {
    private static final int MTU = 1024;
    private static final int PSN = 200;
    private static final int BYTES = 1 << 20;

    private final ScriptedPeer peer = new ScriptedPeer();
    private final Subject subject = new Subject(QpType.UC, null, BYTES);

    @BeforeEach
    void connect() {
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.connect(peer.gid(), ScriptedPeer.QPN, 100, PSN);
    }

    @AfterEach
    void close() {
        subject.close();
        peer.close();
    }

    private void dropped(int counter) {
        subject.awaitCount(counter, 1);
        subject.nothingCompletes();
        peer.silence(); // the sender is not notified
        assertThat(subject.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void sendsCompleteWithoutAcknowledgement() {
        subject.put(0, bytes(3000, 1));
        subject.post(WrOpcode.SEND, 1, 0, 2500);
        subject.post(subject.wr(WrOpcode.RDMA_WRITE_WITH_IMM, 2, 0, 5)
                .remoteAddr(9)
                .rkey(8)
                .immData(7));
        peer.next(Opcode.UC_SEND_FIRST, 100);
        peer.next(Opcode.UC_SEND_MIDDLE, 101);
        assertThat(peer.next(Opcode.UC_SEND_LAST, 102).payload).hasSize(2500 - 2 * MTU);
        Received r = peer.next(Opcode.UC_RDMA_WRITE_ONLY_WITH_IMM, 103);
        assertThat(r.packet.rethVa()).isEqualTo(9);
        assertThat(r.packet.immData()).isEqualTo(7);
        assertThat(r.packet.ackReq()).isFalse();
        subject.next(1, WcStatus.SUCCESS);
        subject.next(2, WcStatus.SUCCESS);
    }

    @Test
    void longQueueIsSentInTurns() {
        for (int i = 0; i < 100; i++) {
            subject.post(subject.wr(WrOpcode.SEND, i, 0, 20 * MTU).sendFlags(0));
        }
        subject.post(WrOpcode.SEND, 100, 0, 100 * MTU);
        subject.next(100, WcStatus.SUCCESS);
    }

    @Test
    void lostMiddleLosesMessageAndKeepsReceive() {
        subject.recv(1, 0, 5000);
        peer.data(Opcode.UC_SEND_FIRST, PSN, false, bytes(MTU, 1));
        peer.data(Opcode.UC_SEND_LAST, PSN + 2, false, bytes(4, 1));
        dropped(TransportCounters.BAD_MESSAGE);
        peer.data(Opcode.UC_SEND_MIDDLE, PSN + 3, false, bytes(MTU, 1)); // of a message whose first packet was lost
        peer.data(Opcode.UC_SEND_LAST, PSN + 4, false, bytes(4, 1));
        peer.data(Opcode.UC_SEND_FIRST, PSN + 9, false, bytes(MTU, 2)); // a new message, whatever its PSN
        peer.data(Opcode.UC_SEND_LAST, PSN + 10, false, bytes(100, 3));
        assertThat(subject.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(MTU + 100);
        assertThat(subject.get(0, MTU)).isEqualTo(bytes(MTU, 2));
        assertThat(subject.get(MTU, 100)).isEqualTo(bytes(100, 3));
    }

    @Test
    void firstPacketRestartsMessage() {
        subject.recv(1, 0, 5000);
        peer.data(Opcode.UC_SEND_FIRST, PSN, false, bytes(MTU, 1));
        peer.data(Opcode.UC_SEND_ONLY, PSN + 5, false, bytes(100, 2));
        assertThat(subject.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(100);
        assertThat(subject.get(0, 100)).isEqualTo(bytes(100, 2));
    }

    @Test
    void messageWithoutReceiveIsLost() {
        peer.data(Opcode.UC_SEND_FIRST, PSN, false, bytes(MTU, 1));
        subject.awaitCount(TransportCounters.NO_RECEIVE, 1);
        subject.recv(1, 0, 5000);
        peer.data(Opcode.UC_SEND_LAST, PSN + 1, false, bytes(4, 1));
        dropped(TransportCounters.BAD_MESSAGE);
        peer.data(Opcode.UC_SEND_ONLY, PSN + 2, false, bytes(4, 1));
        subject.next(1, WcStatus.SUCCESS);
    }

    @Test
    void forbiddenWriteIsDropped() {
        peer.write(
                Opcode.UC_RDMA_WRITE_ONLY, PSN, false, bytes(8, 1), subject.address(BYTES - 4), subject.mr.rkey(), 8);
        dropped(TransportCounters.BAD_MESSAGE);
        peer.write(Opcode.UC_RDMA_WRITE_ONLY, PSN + 1, false, bytes(8, 1), subject.address(0), subject.mr.rkey(), 8);
        long end = System.nanoTime() + Patience.NANOS;
        while (subject.get(0, 8)[7] != bytes(8, 1)[7]) {
            assertThat(System.nanoTime()).as("time until the write arrives").isLessThan(end);
            subject.nothingCompletes();
        }
    }

    @Test
    void packetOfWrongLengthIsDropped() {
        subject.recv(1, 0, 5000);
        peer.data(Opcode.UC_SEND_FIRST, PSN, false, bytes(MTU - 4, 1));
        dropped(TransportCounters.BAD_MESSAGE);
    }

    @Test
    void tooLongMessageIsDroppedAndKeepsReceive() {
        subject.recv(1, 0, 50);
        peer.data(Opcode.UC_SEND_ONLY, PSN, false, bytes(51, 1));
        dropped(TransportCounters.TOO_LONG);
        peer.data(Opcode.UC_SEND_ONLY, PSN + 1, false, bytes(50, 1));
        subject.next(1, WcStatus.SUCCESS);
    }

    @Test
    void queuePairInSqeStillReceives() {
        subject.recv(1, 0, 100);
        subject.post(subject.wr(WrOpcode.SEND, 2, 0, 0)
                .sgList(new ScatterGatherElement()
                        .addr(subject.address(0))
                        .length(10)
                        .lkey(1)));
        subject.next(2, WcStatus.LOC_PROT_ERR);
        assertThat(subject.state()).isEqualTo(QpState.SQE);
        peer.data(Opcode.UC_SEND_ONLY, PSN, false, bytes(51, 1));
        subject.next(1, WcStatus.SUCCESS);
    }
}
