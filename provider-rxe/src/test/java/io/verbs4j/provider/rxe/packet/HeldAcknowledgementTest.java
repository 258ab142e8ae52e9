/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.LinkCounters;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Ieth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import io.verbs4j.provider.rxe.wire.Reth;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * When an acknowledgement waits for the program's reply, and that it is eventually sent. The test itself hands in
 * packets, so that no other thread interferes.
 */
class HeldAcknowledgementTest {
    private static final int PSN = 200; // of incoming packets
    private static final int ANSWER_PSN = 100;
    private static final int BYTES = 4096;

    private final ScriptedPeer peer = new ScriptedPeer();
    private final Subject subject = new Subject(QpType.RC, null, BYTES);
    private final Dispatcher dispatcher = new PacketPaths(subject.context.port()).newDispatcher();
    private Link link;

    @BeforeEach
    void connect() {
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.connect(peer.gid(), ScriptedPeer.QPN, ANSWER_PSN, PSN);
        link = subject.context.port().openLinks().get(0);
        for (int i = 0; i < 8; i++) {
            subject.recv(i, i * 100, 100);
        }
    }

    @AfterEach
    void close() {
        subject.close();
        peer.close();
    }

    // ---- incoming packets

    private void take(int opcode, int psn, byte[] payload, ScriptedPeer.Headers headers) {
        int header = Opcode.headerLength(opcode);
        int length = header + payload.length;
        ByteBuffer b = ByteBuffer.allocateDirect(length + Icrc.LENGTH);
        Bth.write(b, 0, opcode, false, false, 0, Bth.DEFAULT_PKEY, subject.qp.qpNum(), true, psn);
        if (headers != null) {
            headers.write(b, Bth.LENGTH);
        }
        b.put(header, payload);
        Packet packet = new Packet();
        assertThat(packet.parse(b, 0, length + Icrc.LENGTH)).isEqualTo(Packet.OK);
        packet.source(peer.gid().subnetPrefix(), peer.gid().interfaceId(), Link.PORT);
        packet.destination(subject.gid().subnetPrefix(), subject.gid().interfaceId());
        dispatcher.onPacket(packet);
    }

    private void message(int psn) {
        take(Opcode.RC_SEND_ONLY, psn, bytes(64, psn), null);
    }

    private void acknowledged(int psn) {
        take(Opcode.RC_ACKNOWLEDGE, psn, new byte[0], (b, at) -> Aeth.write(b, at, Aeth.ACK_UNLIMITED, 0));
    }

    private void write(int psn) {
        long va = subject.address(2000);
        take(Opcode.RC_RDMA_WRITE_ONLY, psn, bytes(64, 1), (b, at) -> Reth.write(b, at, va, subject.mr.rkey(), 64));
    }

    private void read(int psn) {
        long va = subject.address(0);
        take(Opcode.RC_RDMA_READ_REQUEST, psn, new byte[0], (b, at) -> Reth.write(b, at, va, subject.mr.rkey(), 4));
    }

    private void answer() {
        subject.post(WrOpcode.SEND, 10, 0, 64);
    }

    /**
     * The program receives a first message, which is acknowledged immediately, and replies, so that the next
     * acknowledgement may wait.
     */
    private void learn() {
        message(PSN);
        dispatcher.burstEnded(true);
        peer.nextAck(PSN);
        answer();
        peer.next(Opcode.RC_SEND_ONLY, ANSWER_PSN);
        dispatcher.burstBegins();
    }

    /** Receives the second message, whose acknowledgement waits. */
    private void hold() {
        learn();
        long sent = packets();
        acknowledged(ANSWER_PSN);
        message(PSN + 1);
        dispatcher.burstEnded(true);
        assertThat(packets()).isEqualTo(sent);
        assertThat(dispatcher.awaitsAnswers()).isTrue();
    }

    private long packets() {
        return link.counters().get(LinkCounters.TX_PACKETS);
    }

    private long calls() {
        return link.counters().get(LinkCounters.TX_BATCHES);
    }

    // ----

    @Test
    void replyCarriesAcknowledgementInOneCall() {
        hold();
        long before = calls();
        answer();
        assertThat(calls()).isEqualTo(before + 1);
        peer.next(Opcode.RC_SEND_ONLY, ANSWER_PSN + 1);
        assertThat(peer.nextAeth(PSN + 1, Aeth.ACK_UNLIMITED).packet.aethMsn()).isEqualTo(2);
        dispatcher.burstBegins();
        dispatcher.burstEnded(true);
        peer.silence();
    }

    @Test
    void emptyReplyCarriesAcknowledgement() {
        hold();
        subject.post(WrOpcode.SEND, 10, 0, 0);
        peer.next(Opcode.RC_SEND_ONLY, ANSWER_PSN + 1);
        peer.nextAck(PSN + 1);
    }

    @Test
    void nextPollSendsItWhenProgramDoesNotReply() {
        hold();
        dispatcher.burstBegins();
        peer.nextAck(PSN + 1);
        assertThat(dispatcher.awaitsAnswers()).isFalse();
        message(PSN + 2);
        dispatcher.burstEnded(true);
        peer.nextAck(PSN + 2);
        dispatcher.burstBegins(); // the program was seen not to reply
        answer();
        peer.next(Opcode.RC_SEND_ONLY, ANSWER_PSN + 1);
        message(PSN + 3);
        dispatcher.burstEnded(true);
        peer.nextAck(PSN + 3);
    }

    @Test
    void unpolledMessageIsAcknowledgedAtOnce() {
        learn();
        message(PSN + 1);
        dispatcher.burstEnded(false);
        peer.nextAck(PSN + 1);
        assertThat(dispatcher.awaitsAnswers()).isFalse();
    }

    @Test
    void messageWithoutCompletionIsAcknowledgedAtOnce() {
        learn();
        write(PSN + 1);
        dispatcher.burstEnded(true);
        peer.nextAck(PSN + 1);
        message(PSN); // a duplicate, which the program does not see
        dispatcher.burstEnded(true);
        peer.nextAck(PSN + 1);
    }

    @Test
    void nextBurstAcknowledgesBothMessages() {
        hold();
        message(PSN + 2);
        dispatcher.burstEnded(false);
        peer.nextAck(PSN + 2);
        answer();
        peer.next(Opcode.RC_SEND_ONLY, ANSWER_PSN + 1);
        dispatcher.burstBegins();
        peer.silence();
    }

    @Test
    void replyAcknowledgesLaterMessageToo() {
        hold();
        message(PSN + 2);
        answer(); // before the burst has ended
        peer.next(Opcode.RC_SEND_ONLY, ANSWER_PSN + 1);
        peer.nextAck(PSN + 2);
        dispatcher.burstEnded(false);
        dispatcher.burstBegins();
        peer.silence();
    }

    /** An acknowledgement of a request behind a read would imply that the read was answered. */
    @Test
    void acknowledgementStaysBehindReadResponse() {
        hold();
        read(PSN + 2);
        message(PSN + 3);
        answer(); // before the burst has ended: the response has not been sent
        peer.next(Opcode.RC_SEND_ONLY, ANSWER_PSN + 1);
        dispatcher.burstEnded(false);
        peer.next(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN + 2);
        peer.nextAck(PSN + 3);
    }

    @Test
    void rnrNakIsSentAtOnce() {
        learn();
        for (int i = 1; i < 8; i++) {
            message(PSN + i);
        }
        message(PSN + 8);
        dispatcher.burstEnded(true);
        peer.nextAeth(PSN + 8, Aeth.rnrNak(subject.minRnrTimer));
    }

    @Test
    void endOfConnectionIsAcknowledgedAtOnce() {
        learn();
        take(Opcode.RC_SEND_ONLY_WITH_INV, PSN + 1, bytes(64, 1), (b, at) -> Ieth.write(b, at, 0x1234));
        dispatcher.burstEnded(true);
        peer.nextAck(PSN + 1);
        subject.awaitError();
    }

    /** The program has the message: the peer must not consider it lost. */
    @ParameterizedTest
    @ValueSource(ints = {QpState.ERR, QpState.RESET, -1})
    void endOfQueuePairSendsHeldAcknowledgement(int state) {
        hold();
        if (state < 0) {
            subject.qp.close();
        } else {
            subject.qp.modify(new QpAttr().qpState(state));
        }
        peer.nextAck(PSN + 1);
        dispatcher.burstBegins();
        peer.silence();
        assertThat(link.batches().lent()).as("batches not given back").isZero();
    }

    /**
     * Some acknowledgements wait: the program has polled for so long that no thread of the device waits for packets.
     */
    @Test
    void messagesAreAcknowledgedWhenPollingStops() {
        for (int i = 0; i < 10; i++) {
            int psn = PSN + 2 * i;
            subject.recv(8, 0, 100);
            subject.recv(9, 0, 100);
            subject.nothingCompletes();
            subject.nothingCompletes();
            peer.data(Opcode.RC_SEND_ONLY, psn, true, bytes(64, i));
            subject.next();
            answer();
            boolean acknowledged = peer.next().opcode() == Opcode.RC_ACKNOWLEDGE;
            assertThat(peer.next().opcode() == Opcode.RC_ACKNOWLEDGE).isNotEqualTo(acknowledged);
            peer.data(Opcode.RC_SEND_ONLY, psn + 1, true, bytes(64, i));
            subject.next();
            peer.nextAck(psn + 1); // although nobody polls
            peer.ack(ANSWER_PSN + i);
            subject.next(10, WcStatus.SUCCESS);
        }
    }
}
