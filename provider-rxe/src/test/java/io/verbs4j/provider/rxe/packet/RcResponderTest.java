/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.PsnMath;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The receiving half of RC against a scripted peer: sends, writes and violations. */
class RcResponderTest extends ResponderRig {
    // ---- sends

    @Test
    void segmentedSendIsAssembled() {
        start(PsnMath.MAX, s -> {});
        subject.recv(1, 100, 5000);
        byte[] data = bytes(2500, 3);
        peer.data(Opcode.RC_SEND_FIRST, PsnMath.MAX, false, Arrays.copyOfRange(data, 0, MTU));
        peer.data(Opcode.RC_SEND_MIDDLE, 0, false, Arrays.copyOfRange(data, MTU, 2 * MTU));
        subject.nothingCompletes();
        peer.silence();
        peer.solicited().immediate(Opcode.RC_SEND_LAST_WITH_IMM, 1, Arrays.copyOfRange(data, 2 * MTU, 2500), 0xbeef);
        WorkCompletion wc = subject.next(1, WcStatus.SUCCESS);
        assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(wc.byteLen()).isEqualTo(2500);
        assertThat(wc.wcFlags()).isEqualTo(WcFlags.WITH_IMM);
        assertThat(wc.immData()).isEqualTo(0xbeef);
        assertThat(subject.get(100, 2500)).isEqualTo(data);
        assertThat(peer.nextAeth(1, Aeth.ACK_UNLIMITED).packet.aethMsn()).isEqualTo(1);
    }

    @Test
    void burstIsAcknowledgedOnce() {
        start();
        for (int i = 0; i < 10; i++) {
            subject.recv(i, i * 100, 100);
            peer.add(Opcode.RC_SEND_ONLY, PSN + i, true, bytes(100, i), null);
        }
        peer.data(Opcode.RC_SEND_ONLY, PSN + 10, true, bytes(4, 10));
        // The last one finds no receive: the RNR NAK acknowledges the ten before it.
        Received r = peer.nextAeth(PSN + 10, Aeth.rnrNak(17));
        assertThat(r.packet.aethMsn()).isEqualTo(10);
        for (int i = 0; i < 10; i++) {
            subject.next(i, WcStatus.SUCCESS);
            assertThat(subject.get(i * 100, 100)).isEqualTo(bytes(100, i));
        }
    }

    @Test
    void duplicateIsAcknowledgedButNotDelivered() {
        start();
        subject.recv(1, 0, 100);
        subject.recv(2, 100, 100);
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(100, 1));
        peer.nextAck(PSN);
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(100, 7));
        peer.nextAck(PSN);
        subject.next(1, WcStatus.SUCCESS);
        subject.nothingCompletes();
        peer.data(Opcode.RC_SEND_ONLY, PSN + 1, true, bytes(100, 2));
        peer.nextAck(PSN + 1);
        peer.data(Opcode.RC_SEND_ONLY, PSN, false, bytes(100, 7));
        peer.nextAck(PSN + 1); // the latest PSN, which saves the peer the rest
        subject.next(2, WcStatus.SUCCESS);
        assertThat(subject.get(0, 100)).isEqualTo(bytes(100, 1));
    }

    @Test
    void gapIsReportedOnce() {
        start();
        for (int i = 0; i < 4; i++) {
            subject.recv(i, i * 100, 100);
        }
        peer.data(Opcode.RC_SEND_ONLY, PSN + 1, true, bytes(100, 1));
        peer.nextNak(PSN, Aeth.NAK_PSN_SEQUENCE_ERROR);
        peer.data(Opcode.RC_SEND_ONLY, PSN + 2, true, bytes(100, 2));
        peer.silence();
        subject.nothingCompletes();
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(100, 0));
        peer.nextAck(PSN);
        peer.data(Opcode.RC_SEND_ONLY, PSN + 3, true, bytes(100, 3)); // a new gap
        peer.nextNak(PSN + 1, Aeth.NAK_PSN_SEQUENCE_ERROR);
        peer.data(Opcode.RC_SEND_ONLY, PSN + 1, true, bytes(100, 1));
        peer.nextAck(PSN + 1);
        subject.next(0, WcStatus.SUCCESS);
        subject.next(1, WcStatus.SUCCESS);
        subject.nothingCompletes();
    }

    @Test
    void swappedPacketsInBurstDeliverFirstAndNakSecond() {
        start();
        for (int i = 0; i < 3; i++) {
            subject.recv(i, i * 100, 100);
        }
        peer.add(Opcode.RC_SEND_ONLY, PSN + 1, true, bytes(100, 1), null);
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(100, 0));
        peer.nextNak(PSN + 1, Aeth.NAK_PSN_SEQUENCE_ERROR);
        subject.next(0, WcStatus.SUCCESS);
    }

    @Test
    void missingReceiveCausesRnrNak() {
        start();
        peer.data(Opcode.RC_SEND_FIRST, PSN, false, bytes(MTU, 1));
        peer.nextAeth(PSN, Aeth.rnrNak(17));
        peer.data(Opcode.RC_SEND_LAST, PSN + 1, true, bytes(4, 1));
        peer.silence(); // it will be repeated anyway
        subject.recv(1, 0, 2000);
        peer.data(Opcode.RC_SEND_FIRST, PSN, false, bytes(MTU, 1));
        peer.data(Opcode.RC_SEND_LAST, PSN + 1, true, bytes(4, 1));
        peer.nextAck(PSN + 1);
        assertThat(subject.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(MTU + 4);
        peer.write(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMM, PSN + 2, true, bytes(4, 1), subject.address(0), 0, 4);
        refused(PSN + 2, Aeth.NAK_REMOTE_ACCESS_ERROR, EventType.QP_ACCESS_ERR);
    }

    @Test
    void immediateWriteWithoutReceiveWritesNothing() {
        start();
        byte[] data = bytes(100, 1);
        byte[] withImmediate = new byte[4 + 100];
        System.arraycopy(data, 0, withImmediate, 4, 100); // the RETH is followed by four bytes of immediate data
        Runnable send = () -> peer.send(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMM, PSN, true, data, (b, at) -> {
            io.verbs4j.provider.rxe.wire.Reth.write(b, at, subject.address(8), subject.mr.rkey(), 100);
            io.verbs4j.provider.rxe.wire.ImmDt.write(b, at + 16, 0x55);
        });
        send.run();
        peer.nextAeth(PSN, Aeth.rnrNak(17));
        assertThat(subject.get(8, 100)).isEqualTo(new byte[100]);
        subject.recv(1, 500, 0);
        send.run();
        peer.nextAck(PSN);
        WorkCompletion wc = subject.next(1, WcStatus.SUCCESS);
        assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
        assertThat(wc.immData()).isEqualTo(0x55);
        assertThat(wc.byteLen()).isEqualTo(100);
        assertThat(subject.get(8, 100)).isEqualTo(data);
    }

    @Test
    void tooSmallReceiveFailsBothSides() {
        start();
        subject.recv(1, 0, 1500);
        subject.recv(2, 0, 1500);
        peer.data(Opcode.RC_SEND_FIRST, PSN, false, bytes(MTU, 1));
        peer.data(Opcode.RC_SEND_LAST, PSN + 1, true, bytes(500, 1));
        subject.next(1, WcStatus.LOC_LEN_ERR);
        peer.nextNak(PSN + 1, Aeth.NAK_INVALID_REQUEST);
        subject.next(2, WcStatus.WR_FLUSH_ERR);
        subject.awaitError();
        assertThat(subject.get(1500, 100)).isEqualTo(new byte[100]);
    }

    @Test
    void readOnlyReceiveFailsBothSides() {
        start();
        MemoryRegion readOnly = subject.pd.regMr(ByteBuffer.allocateDirect(64), 0);
        assertThat(subject.qp.postRecv(new RecvWorkRequest().wrId(1).sgList(ScatterGatherElement.of(readOnly))))
                .isZero();
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(64, 1));
        subject.next(1, WcStatus.LOC_PROT_ERR);
        peer.nextNak(PSN, Aeth.NAK_REMOTE_OPERATIONAL_ERROR);
        subject.awaitError();
        readOnly.close();
    }

    // ---- violations

    private record Step(int opcode, int bytes) {}

    static Stream<Arguments> violations() {
        int sendFirst = Opcode.RC_SEND_FIRST;
        int sendMiddle = Opcode.RC_SEND_MIDDLE;
        int sendLast = Opcode.RC_SEND_LAST;
        int sendOnly = Opcode.RC_SEND_ONLY;
        return Stream.of(
                bad("a middle without a first", new Step(sendMiddle, MTU)),
                bad("a last without a first", new Step(sendLast, 4)),
                bad("a first in a message", new Step(sendFirst, MTU), new Step(sendFirst, MTU)),
                bad("an only in a message", new Step(sendFirst, MTU), new Step(sendOnly, 4)),
                bad("a write's middle in a send", new Step(sendFirst, MTU), new Step(Opcode.RC_RDMA_WRITE_MIDDLE, MTU)),
                bad("a write's last in a send", new Step(sendFirst, MTU), new Step(Opcode.RC_RDMA_WRITE_LAST, 4)),
                bad("a read in a send", new Step(sendFirst, MTU), new Step(Opcode.RC_RDMA_READ_REQUEST, 0)),
                bad("an atomic in a send", new Step(sendFirst, MTU), new Step(Opcode.RC_FETCH_ADD, 0)),
                bad("a short first", new Step(sendFirst, MTU - 4)),
                bad("a long first", new Step(sendFirst, MTU + 4)),
                bad("a short middle", new Step(sendFirst, MTU), new Step(sendMiddle, 4)),
                bad("an empty middle", new Step(sendFirst, MTU), new Step(sendMiddle, 0)),
                bad("a long last", new Step(sendFirst, MTU), new Step(sendLast, MTU + 1)),
                bad("an empty last", new Step(sendFirst, MTU), new Step(sendLast, 0)),
                bad("a long only", new Step(sendOnly, MTU + 1)),
                bad("an invalidating end without a first", new Step(Opcode.RC_SEND_LAST_WITH_INV, 4)),
                bad(
                        "an invalidating end that is long",
                        new Step(sendFirst, MTU),
                        new Step(Opcode.RC_SEND_LAST_WITH_INV, MTU + 1)),
                bad(
                        "an invalidating only in a message",
                        new Step(sendFirst, MTU),
                        new Step(Opcode.RC_SEND_ONLY_WITH_INV, 4)));
    }

    private static Arguments bad(String name, Step... steps) {
        return Arguments.of(name, steps);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("violations")
    void violationsAreRefused(String name, Step[] steps) {
        start();
        subject.recv(1, 0, 10_000);
        for (int i = 0; i < steps.length; i++) {
            peer.data(steps[i].opcode, PSN + i, true, bytes(steps[i].bytes, 1));
        }
        if (steps.length > 1) {
            Received r = peer.next();
            if (Aeth.isAck(r.packet.aethSyndrome())) { // of the first packet, if both were not in one burst
                peer.nextNak(PSN + 1, Aeth.NAK_INVALID_REQUEST);
            } else {
                assertThat(r.packet.aethSyndrome()).isEqualTo(Aeth.nak(Aeth.NAK_INVALID_REQUEST));
                assertThat(r.psn()).isEqualTo(PSN + 1);
            }
            subject.nextEvent(EventType.QP_REQ_ERR);
            subject.next(1, WcStatus.REM_INV_REQ_ERR); // it was started
        } else {
            peer.nextNak(PSN, Aeth.NAK_INVALID_REQUEST);
            subject.nextEvent(EventType.QP_REQ_ERR);
            subject.next(1, WcStatus.WR_FLUSH_ERR);
        }
        subject.awaitError();
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        peer.silence(); // nothing is answered in ERR
    }

    // ---- writes

    @Test
    void segmentedWriteIsAssembled() {
        start();
        byte[] data = bytes(2500, 3);
        peer.write(
                Opcode.RC_RDMA_WRITE_FIRST,
                PSN,
                false,
                Arrays.copyOfRange(data, 0, MTU),
                subject.address(33),
                subject.mr.rkey(),
                2500);
        peer.data(Opcode.RC_RDMA_WRITE_MIDDLE, PSN + 1, false, Arrays.copyOfRange(data, MTU, 2 * MTU));
        peer.data(Opcode.RC_RDMA_WRITE_LAST, PSN + 2, true, Arrays.copyOfRange(data, 2 * MTU, 2500));
        peer.nextAck(PSN + 2);
        assertThat(subject.get(33, 2500)).isEqualTo(data);
        assertThat(subject.get(33 + 2500, 100)).isEqualTo(new byte[100]);
        subject.nothingCompletes();
    }

    @Test
    void emptyWriteNeedsNoKey() {
        start(PSN, s -> s.access = AccessFlags.REMOTE_WRITE);
        peer.write(Opcode.RC_RDMA_WRITE_ONLY, PSN, true, new byte[0], 0, 0, 0);
        peer.nextAck(PSN);
    }

    @ParameterizedTest
    @ValueSource(ints = {MTU, MTU + 3, 2 * MTU, 2 * MTU + 5, 1 << 20})
    void writeOfWrongTotalLengthIsRefused(int said) {
        start();
        // The packets are a first one and a last one of four bytes: MTU + 4.
        peer.write(Opcode.RC_RDMA_WRITE_FIRST, PSN, false, bytes(MTU, 1), subject.address(0), subject.mr.rkey(), said);
        if (said > MTU) {
            peer.data(Opcode.RC_RDMA_WRITE_LAST, PSN + 1, true, bytes(4, 1));
        }
        invalid(said > MTU ? PSN + 1 : PSN);
        assertThat(subject.get(MTU, 4)).isEqualTo(new byte[4]);
    }

    @Test
    void singlePacketWriteOfWrongLengthIsRefused() {
        start();
        peer.write(Opcode.RC_RDMA_WRITE_ONLY, PSN, true, bytes(8, 1), subject.address(0), subject.mr.rkey(), 7);
        invalid(PSN);
        assertThat(subject.get(0, 8)).isEqualTo(new byte[8]);
    }

    private static final long BEYOND = BYTES - 4;

    static Stream<Arguments> forbiddenAccess() {
        return Stream.of(
                Arguments.of("wrong key", 0L, 1, 8),
                Arguments.of("before the region", -1L, 0, 8),
                Arguments.of("beyond the region", BEYOND, 0, 8),
                Arguments.of("far away", Long.MAX_VALUE, 0, 8),
                Arguments.of("longer than the region", 0L, 0, BYTES + 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forbiddenAccess")
    void forbiddenWritesAreRefused(String name, long offset, int keyDelta, int length) {
        start();
        boolean only = length <= MTU;
        peer.write(
                only ? Opcode.RC_RDMA_WRITE_ONLY : Opcode.RC_RDMA_WRITE_FIRST,
                PSN,
                true,
                bytes(Math.min(MTU, length), 1),
                subject.mr.addr() + offset,
                subject.mr.rkey() + keyDelta,
                length);
        refused(PSN, Aeth.NAK_REMOTE_ACCESS_ERROR, EventType.QP_ACCESS_ERR);
        assertThat(subject.get(0, BYTES)).isEqualTo(new byte[BYTES]); // not even a part of it
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forbiddenAccess")
    void forbiddenReadsAreRefused(String name, long offset, int keyDelta, int length) {
        start();
        peer.read(PSN, subject.mr.addr() + offset, subject.mr.rkey() + keyDelta, length);
        refused(PSN, Aeth.NAK_REMOTE_ACCESS_ERROR, EventType.QP_ACCESS_ERR);
    }

    @Test
    void rightsOfQueuePairApply() {
        start(PSN, s -> s.access = AccessFlags.REMOTE_READ);
        peer.write(Opcode.RC_RDMA_WRITE_ONLY, PSN, true, bytes(8, 1), subject.address(0), subject.mr.rkey(), 8);
        invalid(PSN);
    }

    @Test
    void deregistrationStopsWrite() {
        start();
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        MemoryRegion mr = subject.pd.regMr(memory, Subject.ALL);
        peer.write(Opcode.RC_RDMA_WRITE_FIRST, PSN, true, bytes(MTU, 1), mr.addr(), mr.rkey(), 3000);
        peer.nextAck(PSN);
        mr.close();
        peer.data(Opcode.RC_RDMA_WRITE_MIDDLE, PSN + 1, true, bytes(MTU, 1));
        refused(PSN + 1, Aeth.NAK_REMOTE_ACCESS_ERROR, EventType.QP_ACCESS_ERR);
        assertThat(memory.get(MTU)).isZero();
    }

    // ---- states

    @Test
    void queuePairInRtrReceivesAndRaisesCommEst() {
        subject = new Subject(QpType.RC, null, BYTES);
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.toRtr(peer.gid(), ScriptedPeer.QPN, PSN);
        subject.recv(1, 0, 100);
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(100, 1));
        peer.nextAck(PSN);
        subject.next(1, WcStatus.SUCCESS);
        subject.nextEvent(EventType.COMM_EST);
        peer.ack(5); // acknowledges what was never sent
        subject.awaitCount(TransportCounters.WRONG_STATE, 1);
        byte[] data = bytes(BYTES, 5);
        subject.put(0, data);
        peer.read(PSN + 1, subject.address(0), subject.mr.rkey(), 1 << 20); // more than is sent at a time
        answer(PSN + 1, 0, 1 << 20, data);
    }

    @Test
    void errorFlushesPartialMessage() {
        start();
        subject.recv(1, 0, 5000);
        subject.recv(2, 0, 5000);
        peer.data(Opcode.RC_SEND_FIRST, PSN, true, bytes(MTU, 1));
        peer.nextAck(PSN);
        subject.qp.modify(new QpAttr().qpState(QpState.ERR));
        subject.next(1, WcStatus.WR_FLUSH_ERR);
        subject.next(2, WcStatus.WR_FLUSH_ERR);
    }
}
