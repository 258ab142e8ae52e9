/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Opcode;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Windows of type 2 on RC against a scripted peer: which packets carry keys, and what is executed once. */
class RcWindowTest {
    private static final int MTU = 1024;
    private static final int PSN = 200;
    private static final int OWN = 100;

    private final ScriptedPeer peer = new ScriptedPeer();
    private Subject subject;
    private MemoryRegion mr;
    private MemoryWindow mw;

    @BeforeEach
    void start() {
        subject = new Subject(QpType.RC, null, 1 << 20);
        mr = subject.pd.regMr(ByteBuffer.allocateDirect(64), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        mw = subject.pd.allocMw(MwType.TYPE_2);
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.connect(peer.gid(), ScriptedPeer.QPN, OWN, PSN);
    }

    @AfterEach
    void close() {
        mw.close();
        mr.close();
        subject.close();
        peer.close();
    }

    private SendWorkRequest bind(long wrId) {
        return new SendWorkRequest()
                .opcode(WrOpcode.BIND_MW)
                .wrId(wrId)
                .sendFlags(SendFlags.SIGNALED)
                .mw(mw)
                .mwRkey(MemoryWindow.incRkey(mw.rkey()))
                .mwBind(new MwBind().mr(mr).addr(mr.addr()).length(64).mwAccessFlags(AccessFlags.REMOTE_WRITE));
    }

    private static SendWorkRequest invalidate(long wrId, int rkey) {
        return new SendWorkRequest()
                .opcode(WrOpcode.LOCAL_INV)
                .wrId(wrId)
                .sendFlags(SendFlags.SIGNALED)
                .invalidateRkey(rkey);
    }

    private int bound() {
        subject.post(bind(1));
        subject.next(1, WcStatus.SUCCESS);
        return mw.rkey();
    }

    @Test
    void lastPacketCarriesKey() {
        int size = 2 * MTU + 5;
        subject.post(subject.wr(WrOpcode.SEND_WITH_INV, 1, 0, size).invalidateRkey(0x12345678));
        subject.post(subject.wr(WrOpcode.SEND_WITH_INV, 2, 0, 3).invalidateRkey(0x9abcdef0));
        peer.next(Opcode.RC_SEND_FIRST, OWN);
        peer.next(Opcode.RC_SEND_MIDDLE, OWN + 1);
        Received last = peer.next(Opcode.RC_SEND_LAST_WITH_INV, OWN + 2);
        assertThat(last.packet.invalidateRkey()).isEqualTo(0x12345678);
        assertThat(last.packet.payloadLength()).isEqualTo(5);
        assertThat(last.packet.ackReq()).isTrue();
        peer.ack(OWN + 2);
        Received only = peer.next(Opcode.RC_SEND_ONLY_WITH_INV, OWN + 3);
        assertThat(only.packet.invalidateRkey()).isEqualTo(0x9abcdef0);
        peer.ack(OWN + 3);
        subject.next(1, WcStatus.SUCCESS);
        subject.next(2, WcStatus.SUCCESS);
    }

    /** A duplicate invalidates a key once: a later bind under the same key stays valid. */
    @Test
    void duplicatePacketInvalidatesNothing() {
        int key = bound();
        subject.recv(2, 0, 100);
        subject.recv(3, 0, 100);
        peer.invalidate(Opcode.RC_SEND_ONLY_WITH_INV, PSN, true, bytes(10, 1), key);
        WorkCompletion wc = subject.next(2, WcStatus.SUCCESS);
        assertThat(wc.wcFlags()).isEqualTo(WcFlags.WITH_INV);
        assertThat(wc.invalidatedRkey()).isEqualTo(key);
        peer.nextAck(PSN);
        subject.post(bind(4).mwRkey(key));
        subject.next(4, WcStatus.SUCCESS);
        peer.invalidate(Opcode.RC_SEND_ONLY_WITH_INV, PSN, true, bytes(10, 1), key);
        peer.nextAck(PSN);
        peer.write(Opcode.RC_RDMA_WRITE_ONLY, PSN + 1, true, bytes(8, 1), mr.addr(), key, 8);
        peer.nextAck(PSN + 1);
        subject.nothingCompletes();
    }

    @Test
    void failedInvalidationIsAcknowledgedUnasked() {
        int key = mw.rkey();
        subject.recv(2, 0, 100);
        peer.invalidate(Opcode.RC_SEND_ONLY_WITH_INV, PSN, false, bytes(10, 1), key);
        subject.next(2, WcStatus.REM_INV_REQ_ERR);
        peer.nextAck(PSN);
        subject.awaitError();
        assertThat(subject.get(0, 10)).isEqualTo(bytes(10, 1));
    }

    @Test
    void keyIsValidUntilMessageIsComplete() {
        int key = bound();
        subject.recv(2, 0, 5000);
        peer.data(Opcode.RC_SEND_FIRST, PSN, true, bytes(MTU, 1));
        peer.nextAck(PSN);
        peer.data(Opcode.RC_SEND_MIDDLE, PSN + 1, true, bytes(MTU, 1));
        peer.nextAck(PSN + 1);
        peer.invalidate(Opcode.RC_SEND_LAST_WITH_INV, PSN + 2, true, bytes(7, 1), key);
        assertThat(subject.next(2, WcStatus.SUCCESS).byteLen()).isEqualTo(2 * MTU + 7);
        peer.nextAck(PSN + 2);
        peer.write(Opcode.RC_RDMA_WRITE_ONLY, PSN + 3, true, bytes(8, 1), mr.addr(), key, 8);
        peer.nextNak(PSN + 3, Aeth.NAK_REMOTE_ACCESS_ERROR);
    }

    @Test
    void invalidationWaitsForAcknowledgements() {
        int key = bound();
        subject.post(WrOpcode.SEND, 2, 0, 10);
        subject.post(invalidate(3, key));
        subject.post(WrOpcode.SEND, 4, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, OWN);
        peer.silence(); // later requests wait as well
        peer.write(Opcode.RC_RDMA_WRITE_ONLY, PSN, true, bytes(8, 1), mr.addr(), key, 8);
        peer.nextAck(PSN); // the key is still valid
        subject.nothingCompletes();
        peer.ack(OWN);
        subject.next(2, WcStatus.SUCCESS);
        subject.next(3, WcStatus.SUCCESS);
        peer.next(Opcode.RC_SEND_ONLY, OWN + 1);
        peer.write(Opcode.RC_RDMA_WRITE_ONLY, PSN + 1, true, bytes(8, 1), mr.addr(), key, 8);
        peer.nextNak(PSN + 1, Aeth.NAK_REMOTE_ACCESS_ERROR);
    }

    @Test
    void retransmissionDoesNotRepeatBind() {
        subject.post(WrOpcode.SEND, 1, 0, 10);
        subject.post(bind(2));
        subject.post(WrOpcode.SEND, 3, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, OWN);
        peer.nak(OWN, Aeth.NAK_PSN_SEQUENCE_ERROR);
        peer.next(Opcode.RC_SEND_ONLY, OWN + 1);
        peer.next(Opcode.RC_SEND_ONLY, OWN);
        peer.next(Opcode.RC_SEND_ONLY, OWN + 1);
        subject.nothingCompletes();
        peer.ack(OWN + 1);
        subject.next(1, WcStatus.SUCCESS);
        subject.next(2, WcStatus.SUCCESS);
        subject.next(3, WcStatus.SUCCESS);
        peer.write(Opcode.RC_RDMA_WRITE_ONLY, PSN, true, bytes(8, 1), mr.addr(), mw.rkey(), 8);
        peer.nextAck(PSN);
    }

    @Test
    void failedBindWaitsForRequestsInFlight() {
        bound();
        int key = mw.rkey();
        subject.post(WrOpcode.SEND, 2, 0, 10);
        subject.post(bind(3));
        subject.post(WrOpcode.SEND, 4, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, OWN);
        subject.nothingCompletes();
        peer.ack(OWN);
        subject.next(2, WcStatus.SUCCESS);
        subject.next(3, WcStatus.MW_BIND_ERR);
        subject.next(4, WcStatus.WR_FLUSH_ERR);
        assertThat(mw.rkey()).isEqualTo(key);
        peer.silence();
    }

    /** An executed bind does not hold up a retransmission across it in SQD. */
    @Test
    void retransmissionCrossesBindInSqd() {
        subject.post(WrOpcode.SEND, 1, 0, 10);
        subject.post(bind(2).next(subject.wr(WrOpcode.SEND, 3, 0, 10)));
        peer.next(Opcode.RC_SEND_ONLY, OWN);
        subject.qp.modify(new QpAttr().qpState(QpState.SQD));
        peer.next(Opcode.RC_SEND_ONLY, OWN + 1);
        peer.nak(OWN, Aeth.NAK_PSN_SEQUENCE_ERROR);
        peer.next(Opcode.RC_SEND_ONLY, OWN);
        peer.next(Opcode.RC_SEND_ONLY, OWN + 1);
        peer.ack(OWN + 1);
        subject.next(1, WcStatus.SUCCESS);
        subject.next(2, WcStatus.SUCCESS);
        subject.next(3, WcStatus.SUCCESS);
    }

    @Test
    void flushedBindRestoresKey() {
        int key = bound();
        subject.qp.modify(new QpAttr().qpState(QpState.SQD));
        subject.post(bind(2));
        assertThat(mw.rkey()).isNotEqualTo(key);
        subject.qp.modify(new QpAttr().qpState(QpState.ERR));
        subject.next(2, WcStatus.WR_FLUSH_ERR);
        assertThat(mw.rkey()).isEqualTo(key);
        subject.qp.modify(new QpAttr().qpState(QpState.RESET));
        assertThat(mw.rkey()).isEqualTo(key);
    }
}
