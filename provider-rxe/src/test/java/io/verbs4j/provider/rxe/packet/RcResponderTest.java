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
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The receiving half of RC against a scripted peer. */
class RcResponderTest {
    private static final int MTU = 1024;
    private static final int PSN = 200;
    private static final int BYTES = 4 << 20;

    private final ScriptedPeer peer = new ScriptedPeer();
    private Subject subject;

    private void start() {
        start(PSN, s -> {});
    }

    private void start(int psn, Consumer<Subject> settings) {
        subject = new Subject(QpType.RC, null, BYTES);
        settings.accept(subject);
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.connect(peer.gid(), ScriptedPeer.QPN, 100, psn);
    }

    @AfterEach
    void close() {
        if (subject != null) {
            subject.close();
        }
        peer.close();
    }

    private void refused(int psn, int reason, int event) {
        peer.nextNak(psn, reason);
        subject.nextEvent(event);
        subject.awaitError();
    }

    private void invalid(int psn) {
        refused(psn, Aeth.NAK_INVALID_REQUEST, EventType.QP_REQ_ERR);
    }

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

    // ---- reads

    private void answer(int psn, int at, int length, byte[] expected) {
        int packets = Math.max(1, (length + MTU - 1) / MTU);
        for (int i = 0; i < packets; i++) {
            boolean last = i == packets - 1;
            int opcode = last
                    ? i == 0 ? Opcode.RC_RDMA_READ_RESPONSE_ONLY : Opcode.RC_RDMA_READ_RESPONSE_LAST
                    : i == 0 ? Opcode.RC_RDMA_READ_RESPONSE_FIRST : Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
            Received r = peer.next(opcode, PsnMath.add(psn, i));
            assertThat(r.payload)
                    .isEqualTo(Arrays.copyOfRange(expected, at + i * MTU, at + Math.min(length, (i + 1) * MTU)));
            assertThat(r.packet.padCount()).isEqualTo(-r.payload.length & 3);
            if (Opcode.hasAeth(opcode)) {
                assertThat(Aeth.isAck(r.packet.aethSyndrome())).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 1023, 1024, 1025, 2048, 10_001, 1 << 20})
    void readsAreAnsweredInPackets(int size) {
        start(PsnMath.MAX, s -> {});
        byte[] data = bytes(BYTES, 5);
        subject.put(0, data);
        peer.read(PsnMath.MAX, subject.address(9), size == 0 ? 0 : subject.mr.rkey(), size);
        answer(PsnMath.MAX, 9, size, data);
        // The PSN of the next request follows those of the responses.
        int psn = PsnMath.add(PsnMath.MAX, Math.max(1, (size + MTU - 1) / MTU));
        subject.recv(1, 0, 10);
        peer.data(Opcode.RC_SEND_ONLY, psn, true, bytes(4, 1));
        peer.nextAck(psn);
    }

    @Test
    void repeatedReadIsExecutedAgain() {
        start();
        byte[] data = bytes(BYTES, 5);
        subject.put(0, data);
        peer.read(PSN, subject.address(0), subject.mr.rkey(), 3000);
        answer(PSN, 0, 3000, data);
        data[2 * MTU] ^= 1;
        subject.buffer.put(2 * MTU, data[2 * MTU]);
        peer.read(PSN, subject.address(0), subject.mr.rkey(), 3000);
        answer(PSN, 0, 3000, data);
        // Only the rest, as requested by a peer that lost a part.
        peer.read(PSN + 1, subject.address(MTU), subject.mr.rkey(), 3000 - MTU);
        answer(PSN + 1, MTU, 3000 - MTU, data);
        // More than first requested cannot be answered: those PSNs belong to other requests.
        peer.read(PSN + 1, subject.address(MTU), subject.mr.rkey(), 3000);
        peer.silence();
        assertThat(subject.counters().get(TransportCounters.STALE_DUPLICATE)).isEqualTo(1);
    }

    @Test
    void acknowledgementsStayBehindReadResponses() {
        start();
        byte[] data = bytes(BYTES, 5);
        subject.put(0, data);
        subject.recv(1, BYTES - 100, 100);
        subject.recv(2, BYTES - 100, 100);
        int size = 1 << 20;
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        peer.read(PSN + 1, subject.address(0), subject.mr.rkey(), size);
        int after = PSN + 1 + size / MTU;
        peer.data(Opcode.RC_SEND_ONLY, after, true, bytes(4, 1));
        Received r = peer.next();
        if (r.opcode() == Opcode.RC_ACKNOWLEDGE) { // not in one burst with the read
            r = peer.next();
        }
        for (int psn = PSN + 1; psn < after; psn++, r = peer.next()) {
            assertThat(r.psn()).isEqualTo(psn);
            assertThat(Opcode.isReadResponse(r.opcode())).isTrue();
        }
        assertThat(r.opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
        assertThat(r.psn()).isEqualTo(after);
        assertThat(r.packet.aethMsn()).isEqualTo(3);
        subject.next(1, WcStatus.SUCCESS);
        subject.next(2, WcStatus.SUCCESS);
    }

    @Test
    void duplicateIsNotAcknowledgedBeyondRead() {
        start();
        subject.recv(1, 0, 100);
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        peer.nextAck(PSN);
        peer.read(PSN + 1, subject.address(0), subject.mr.rkey(), 4);
        peer.next(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN + 1);
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        peer.nextAck(PSN);
    }

    @Test
    void deregistrationStopsRead() {
        start();
        int size = 8 << 20;
        MemoryRegion mr = subject.pd.regMr(ByteBuffer.allocateDirect(size), Subject.ALL);
        peer.read(PSN, mr.addr(), mr.rkey(), size);
        peer.next(Opcode.RC_RDMA_READ_RESPONSE_FIRST, PSN);
        mr.close(); // returns although most of it is still to be sent
        Received r = peer.next();
        int psn = PSN;
        while (r.opcode() == Opcode.RC_RDMA_READ_RESPONSE_MIDDLE) {
            assertThat(r.psn()).isGreaterThan(psn);
            psn = r.psn();
            r = peer.next();
        }
        assertThat(r.opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
        assertThat(r.packet.aethSyndrome()).isEqualTo(Aeth.nak(Aeth.NAK_REMOTE_ACCESS_ERROR));
        subject.nextEvent(EventType.QP_ACCESS_ERR);
        subject.awaitError();
    }

    @Test
    void readsAndAtomicsNeedResources() {
        start(PSN, s -> s.maxDestRdAtomic = 0);
        peer.read(PSN, subject.address(0), subject.mr.rkey(), 4);
        invalid(PSN);
    }

    // ---- atomics

    @Test
    void atomicsAreExecutedOnce() {
        start();
        subject.buffer.putLong(16, 40);
        long va = subject.address(16);
        int rkey = subject.mr.rkey();
        peer.fetchAdd(PSN, va, rkey, 2);
        assertThat(peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN).packet.atomicOrig())
                .isEqualTo(40);
        peer.compareSwap(PSN + 1, va, rkey, 42, 7);
        assertThat(peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN + 1).packet.atomicOrig())
                .isEqualTo(42);
        peer.compareSwap(PSN + 2, va, rkey, 42, 8);
        assertThat(peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN + 2).packet.atomicOrig())
                .isEqualTo(7);
        peer.fetchAdd(PSN, va, rkey, 2);
        assertThat(peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN).packet.atomicOrig())
                .isEqualTo(40);
        peer.compareSwap(PSN + 1, va, rkey, 42, 7);
        assertThat(peer.next(Opcode.RC_ATOMIC_ACKNOWLEDGE, PSN + 1).packet.atomicOrig())
                .isEqualTo(42);
        assertThat(subject.buffer.getLong(16)).isEqualTo(7);
        peer.fetchAdd(PSN - 1, va, rkey, 2); // never existed
        peer.silence();
        assertThat(subject.buffer.getLong(16)).isEqualTo(7);
    }

    @Test
    void misalignedAtomicIsRefused() {
        start();
        peer.fetchAdd(PSN, subject.address(4), subject.mr.rkey(), 1);
        invalid(PSN);
        assertThat(subject.buffer.getLong(0)).isZero();
    }

    @Test
    void atomicNeedsRight() {
        start(PSN, s -> s.access = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE);
        peer.fetchAdd(PSN, subject.address(0), subject.mr.rkey(), 1);
        invalid(PSN);
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
