/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.link.LinkCounters;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.PsnMath;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sending half of RC against a scripted peer: sends, writes, and what is repeated. */
class RcRequesterTest extends RequesterRig {
    // ---- segmentation

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 1023, 1024, 1025, 2047, 2048, 2049, 5000})
    void sendIsSegmentedByMtu(int size) {
        start(PsnMath.MAX, s -> {}); // the second PSN is 0
        subject.post(subject.wr(WrOpcode.SEND_WITH_IMM, 1, 7, size)
                .immData(0xabcd)
                .sendFlags(SendFlags.SIGNALED | SendFlags.SOLICITED));
        int packets = Math.max(1, (size + MTU - 1) / MTU);
        byte[] data = bytes(BYTES, 1);
        for (int i = 0; i < packets; i++) {
            boolean last = i == packets - 1;
            int opcode = packets == 1
                    ? Opcode.RC_SEND_ONLY_WITH_IMM
                    : i == 0 ? Opcode.RC_SEND_FIRST : last ? Opcode.RC_SEND_LAST_WITH_IMM : Opcode.RC_SEND_MIDDLE;
            Received r = peer.next(opcode, PsnMath.add(PsnMath.MAX, i));
            int from = 7 + i * MTU;
            assertThat(r.payload)
                    .isEqualTo(java.util.Arrays.copyOfRange(data, from, 7 + Math.min(size, (i + 1) * MTU)));
            assertThat(r.packet.padCount()).isEqualTo(-r.payload.length & 3);
            assertThat(r.packet.ackReq()).isEqualTo(last);
            assertThat(r.packet.solicited()).isEqualTo(last);
            if (last) {
                assertThat(r.packet.immData()).isEqualTo(0xabcd);
            }
        }
        peer.ack(PsnMath.add(PsnMath.MAX, packets - 1));
        assertThat(subject.next(1, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.SEND);
    }

    @Test
    void firstPacketOfWriteHasAddress() {
        start();
        write(1, 0, 2500);
        Received first = peer.next(Opcode.RC_RDMA_WRITE_FIRST, PSN);
        assertThat(first.packet.rethVa()).isEqualTo(VA);
        assertThat(first.packet.rethRkey()).isEqualTo(RKEY);
        assertThat(first.packet.rethLength()).isEqualTo(2500);
        peer.next(Opcode.RC_RDMA_WRITE_MIDDLE, PSN + 1);
        assertThat(peer.next(Opcode.RC_RDMA_WRITE_LAST, PSN + 2).payload).hasSize(2500 - 2 * MTU);
        subject.post(subject.wr(WrOpcode.RDMA_WRITE_WITH_IMM, 2, 0, 5)
                .remoteAddr(VA + 1)
                .rkey(RKEY)
                .immData(9));
        Received only = peer.next(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMM, PSN + 3);
        assertThat(only.packet.rethVa()).isEqualTo(VA + 1);
        assertThat(only.packet.rethLength()).isEqualTo(5);
        assertThat(only.packet.immData()).isEqualTo(9);
    }

    @Test
    void longMessagesRequestAcksAndStopAtWindow() {
        start();
        subject.post(WrOpcode.SEND, 1, 0, 2 << 20);
        int asked = 0;
        int count = 0;
        for (Received r = peer.next(); ; r = peer.next()) {
            assertThat(r.psn()).isEqualTo(PSN + count++);
            asked = r.packet.ackReq() ? 0 : asked + 1;
            assertThat(asked).isLessThan(32);
            if (count % 128 == 0) {
                assertThat(r.packet.ackReq())
                        .as("ACK request on the window's last packet")
                        .isTrue();
                peer.silence();
                break;
            }
        }
        peer.ack(PSN + 63);
        for (int i = 0; i < 64; i++) {
            assertThat(peer.next().psn()).isEqualTo(PSN + count++);
        }
    }

    // ---- acknowledgements

    @Test
    void acknowledgementCompletesEarlierRequests() {
        start();
        for (int i = 0; i < 5; i++) {
            subject.post(WrOpcode.SEND, i, 0, 1500);
        }
        peer.next(Opcode.RC_SEND_FIRST, PSN);
        peer.ack(PSN + 7);
        for (int i = 0; i < 4; i++) {
            subject.next(i, WcStatus.SUCCESS);
        }
        subject.nothingCompletes();
        peer.ack(PSN + 9);
        subject.next(4, WcStatus.SUCCESS);
    }

    @Test
    void unexpectedAcknowledgementsAreIgnored() {
        start();
        peer.ack(PSN); // nothing was sent
        peer.ack(PSN - 1);
        subject.awaitCount(TransportCounters.GHOST_RESPONSE, 2);
        subject.post(WrOpcode.SEND, 1, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        peer.ack(PSN + 1);
        peer.ack(PSN - 1);
        peer.nak(PSN + 5, Aeth.NAK_INVALID_REQUEST);
        peer.nak(PSN - 1, Aeth.NAK_PSN_SEQUENCE_ERROR);
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN, bytes(10, 3));
        peer.atomicResponse(PSN, 5);
        peer.aeth(PSN, 0x5f); // a reserved kind
        peer.nak(PSN, 9); // a reserved reason
        subject.nothingCompletes();
        peer.ack(PSN);
        subject.next(1, WcStatus.SUCCESS);
        peer.ack(PSN); // a duplicate
        subject.nothingCompletes();
        assertThat(subject.counters().get(TransportCounters.GHOST_RESPONSE)).isGreaterThanOrEqualTo(8);
        assertThat(subject.get(0, 10)).isEqualTo(bytes(10, 1));
    }

    // ---- retransmission

    @Test
    void sequenceNakRestartsAtItsPsn() {
        start();
        for (int i = 0; i < 4; i++) {
            subject.post(WrOpcode.SEND, i, i, 1500);
        }
        for (int i = 0; i < 8; i++) {
            if (i == 2) {
                peer.ack(PSN + 1);
            }
            assertThat(peer.next().psn()).isEqualTo(PSN + i);
        }
        peer.nak(PSN + 5, Aeth.NAK_PSN_SEQUENCE_ERROR);
        subject.next(0, WcStatus.SUCCESS);
        subject.next(1, WcStatus.SUCCESS);
        assertThat(peer.next(Opcode.RC_SEND_LAST, PSN + 5).payload).isEqualTo(subject.get(2 + MTU, 1500 - MTU));
        peer.next(Opcode.RC_SEND_FIRST, PSN + 6);
        peer.nak(PSN + 5, Aeth.NAK_PSN_SEQUENCE_ERROR); // duplicated by the network
        peer.next(Opcode.RC_SEND_LAST, PSN + 7);
        peer.ack(PSN + 7);
        subject.next(2, WcStatus.SUCCESS);
        subject.next(3, WcStatus.SUCCESS);
        peer.silence();
    }

    @Test
    void acknowledgementEndsRetransmission() {
        start();
        subject.post(WrOpcode.SEND, 1, 0, 100 * MTU);
        for (int i = 0; i < 100; i++) {
            peer.next();
        }
        peer.nak(PSN + 10, Aeth.NAK_PSN_SEQUENCE_ERROR);
        peer.next(Opcode.RC_SEND_MIDDLE, PSN + 10);
        peer.ack(PSN + 99);
        subject.next(1, WcStatus.SUCCESS);
        peer.forget();
        subject.post(WrOpcode.SEND, 2, 0, 10);
        Received r = peer.next();
        while (r.opcode() != Opcode.RC_SEND_ONLY) {
            r = peer.next();
        }
        assertThat(r.psn()).isEqualTo(PSN + 100);
    }

    @Test
    void unansweredRequestIsRepeatedAndThenFails() {
        start(PSN, s -> {
            s.timeout = 11; // 8 ms
            s.retryCnt = 2;
        });
        subject.post(WrOpcode.SEND, 1, 0, 10);
        subject.post(WrOpcode.SEND, 2, 0, 10);
        for (int i = 0; i < 1 + 2; i++) {
            peer.next(Opcode.RC_SEND_ONLY, PSN);
            peer.next(Opcode.RC_SEND_ONLY, PSN + 1);
        }
        subject.next(1, WcStatus.RETRY_EXC_ERR);
        subject.next(2, WcStatus.WR_FLUSH_ERR);
        assertThat(subject.state()).isEqualTo(QpState.ERR);
        peer.silence();
        assertThat(subject.counters().get(TransportCounters.TIMEOUT)).isEqualTo(3);
    }

    @Test
    void heavyLossDoublesRetransmissions() {
        start(PSN, s -> {
            s.timeout = 11;
            s.retryCnt = 7;
        });
        subject.post(WrOpcode.SEND, 1, 0, 10);
        for (int i = 0; i < 3 + 2 * 5; i++) {
            peer.next(Opcode.RC_SEND_ONLY, PSN);
        }
        subject.next(1, WcStatus.RETRY_EXC_ERR);
        peer.silence();
    }

    @Test
    void progressResetsRetryCount() {
        start(PSN, s -> {
            s.timeout = 16;
            s.retryCnt = 1;
        });
        for (int i = 0; i < 4; i++) {
            subject.post(WrOpcode.SEND, i, 0, 10);
        }
        for (int i = 0; i < 4; i++) {
            // Each needs a second attempt.
            Received r = peer.next();
            for (boolean again = false; r.psn() != PSN + i || !again; r = peer.next()) {
                again |= r.psn() == PSN + i;
            }
            peer.ack(PSN + i);
            subject.next(i, WcStatus.SUCCESS);
        }
    }

    @Test
    void timeoutZeroWaitsForever() {
        start(PSN, s -> s.timeout = 0);
        subject.post(WrOpcode.SEND, 1, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        peer.silence();
        peer.ack(PSN);
        subject.next(1, WcStatus.SUCCESS);
    }

    // ---- receiver not ready

    @Test
    void rnrNakDelaysRetransmission() {
        start();
        subject.post(WrOpcode.SEND, 1, 0, 10);
        subject.post(WrOpcode.SEND, 2, 0, 1500);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        long start = System.nanoTime();
        peer.aeth(PSN + 1, Aeth.rnrNak(20)); // 10.24 ms
        subject.next(1, WcStatus.SUCCESS);
        peer.nak(PSN + 1, Aeth.NAK_PSN_SEQUENCE_ERROR); // for a packet dropped meanwhile: changes nothing
        Received r = peer.next();
        while (System.nanoTime() - start < 10_000_000) {
            r = peer.next(); // the first attempt
        }
        while (r.psn() != PSN + 2) {
            r = peer.next();
        }
        peer.ack(PSN + 2);
        subject.next(2, WcStatus.SUCCESS);
    }

    @Test
    void rnrRetriesRunOut() {
        start(PSN, s -> s.rnrRetry = 2);
        subject.post(WrOpcode.SEND, 1, 0, 10);
        for (int i = 0; i < 3; i++) {
            peer.next(Opcode.RC_SEND_ONLY, PSN);
            peer.aeth(PSN, Aeth.rnrNak(1));
        }
        subject.next(1, WcStatus.RNR_RETRY_EXC_ERR);
        peer.silence();
    }

    @Test
    void sevenRnrRetriesMeanForever() {
        start(PSN, s -> s.rnrRetry = 7);
        subject.post(WrOpcode.SEND, 1, 0, 10);
        for (int i = 0; i < 30; i++) {
            peer.next(Opcode.RC_SEND_ONLY, PSN);
            peer.aeth(PSN, Aeth.rnrNak(1));
        }
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        peer.ack(PSN);
        subject.next(1, WcStatus.SUCCESS);
    }

    // ---- refusals

    @ParameterizedTest
    @CsvSource({
        Aeth.NAK_INVALID_REQUEST + "," + WcStatus.REM_INV_REQ_ERR,
        Aeth.NAK_REMOTE_ACCESS_ERROR + "," + WcStatus.REM_ACCESS_ERR,
        Aeth.NAK_REMOTE_OPERATIONAL_ERROR + "," + WcStatus.REM_OP_ERR,
        Aeth.NAK_INVALID_RD_REQUEST + "," + WcStatus.REM_INV_RD_REQ_ERR
    })
    void nakFailsItsRequestAndFlushesTheRest(int reason, int status) {
        start();
        subject.recv(50, 0, 10);
        for (int i = 0; i < 4; i++) {
            subject.post(WrOpcode.SEND, i, 0, 1500);
        }
        peer.next(Opcode.RC_SEND_FIRST, PSN);
        peer.nak(PSN + 5, reason); // in the middle of the third request
        subject.next(0, WcStatus.SUCCESS);
        subject.next(1, WcStatus.SUCCESS);
        subject.next(2, status);
        subject.next(3, WcStatus.WR_FLUSH_ERR);
        subject.next(50, WcStatus.WR_FLUSH_ERR);
        assertThat(subject.state()).isEqualTo(QpState.ERR);
    }

    // ---- others

    @Test
    void localErrorWaitsForRequestsInFlight() {
        start();
        subject.post(WrOpcode.SEND, 1, 0, 10);
        subject.post(subject.wr(WrOpcode.SEND, 2, 0, 0)
                .sgList(new ScatterGatherElement()
                        .addr(subject.address(0))
                        .length(10)
                        .lkey(1)));
        subject.post(WrOpcode.SEND, 3, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        subject.nothingCompletes();
        peer.ack(PSN);
        subject.next(1, WcStatus.SUCCESS);
        subject.next(2, WcStatus.LOC_PROT_ERR);
        subject.next(3, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void bindCompletesInOrderDespiteRetransmission() {
        start();
        var mw = subject.pd.allocMw(MwType.TYPE_1);
        MemoryRegion mr =
                subject.pd.regMr(ByteBuffer.allocateDirect(64), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        subject.post(WrOpcode.SEND, 1, 0, 10);
        MwBind bind = new MwBind().wrId(2).mr(mr).addr(mr.addr()).length(64).sendFlags(SendFlags.SIGNALED);
        assertThat(subject.qp.bindMw(mw, bind)).isZero();
        subject.post(WrOpcode.SEND, 3, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        peer.next(Opcode.RC_SEND_ONLY, PSN + 1);
        peer.nak(PSN, Aeth.NAK_PSN_SEQUENCE_ERROR);
        subject.nothingCompletes();
        peer.ack(PSN + 1);
        subject.next(1, WcStatus.SUCCESS);
        subject.next(2, WcStatus.SUCCESS);
        subject.next(3, WcStatus.SUCCESS);
        mw.close();
        mr.close();
    }

    @Test
    void heldPacketsAreSentWithoutPolling() {
        start();
        subject.post(WrOpcode.SEND, 1, 0, 10);
        subject.post(WrOpcode.SEND, 2, 0, 10);
        subject.post(WrOpcode.SEND, 3, 0, 10);
        for (int i = 0; i < 3; i++) {
            peer.next(Opcode.RC_SEND_ONLY, PSN + i);
        }
    }

    @Test
    void drainingFinishesStartedMessageOnly() {
        start();
        subject.post(WrOpcode.SEND, 1, 0, 300 * MTU);
        subject.post(WrOpcode.SEND, 2, 0, 10);
        peer.next(Opcode.RC_SEND_FIRST, PSN);
        subject.qp.modify(new QpAttr().qpState(QpState.SQD).enSqdAsyncNotify(true));
        assertThat(subject.context.getAsyncEvent(0, java.util.concurrent.TimeUnit.SECONDS))
                .isNull();
        int psn = PSN;
        while (psn < PSN + 299) {
            Received r = peer.next();
            psn = r.psn();
            if (r.packet.ackReq()) {
                peer.ack(psn);
            }
        }
        subject.next(1, WcStatus.SUCCESS);
        subject.nextEvent(EventType.SQ_DRAINED);
        peer.silence();
        subject.qp.modify(new QpAttr().qpState(QpState.RTS));
        peer.next(Opcode.RC_SEND_ONLY, PSN + 300);
    }

    @Test
    void resetStopsRetransmission() {
        start(PSN, s -> s.timeout = 11);
        subject.post(WrOpcode.SEND, 1, 0, 10);
        peer.next(Opcode.RC_SEND_ONLY, PSN);
        subject.qp.modify(new QpAttr().qpState(QpState.RESET));
        long before = sent(); // it may have been retransmitted by then if this thread did not run
        peer.ack(PSN);
        for (int i = 0; i < 3; i++) { // some timeouts
            subject.nothingCompletes();
        }
        assertThat(sent()).isEqualTo(before);
    }

    private long sent() {
        return subject.context.port().openLinks().stream()
                .mapToLong(link -> link.counters().get(LinkCounters.TX_PACKETS))
                .sum();
    }
}
