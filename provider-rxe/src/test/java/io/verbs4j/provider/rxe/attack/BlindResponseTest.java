/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.packet.ScriptedPeer;
import io.verbs4j.provider.rxe.packet.Subject;
import io.verbs4j.provider.rxe.packet.TransportCounters;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.PsnMath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses to an RC queue pair, with requests in flight or none, by a sender who is not its peer. */
@Tag("attack")
class BlindResponseTest {
    private static final int PSN = 100;
    private static final int BYTES = 1 << 16;
    private static final int REQUESTS = 3;
    private static final int SYNDROMES = 256;

    private final ScriptedPeer peer = new ScriptedPeer();
    private final Subject subject = new Subject(QpType.RC, null, BYTES);
    private Intruder intruder;

    @BeforeEach
    void connect() {
        subject.timeout = 0; // only a NAK causes a retransmission
        subject.put(0, bytes(BYTES, 1));
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.connect(peer.gid(), ScriptedPeer.QPN, PSN, 200);
        intruder = intruder(peer.gid());
    }

    private Intruder intruder(Gid from) {
        return new Intruder(from, subject.gid(), subject.qp.qpNum());
    }

    @AfterEach
    void close() {
        intruder.close();
        subject.close();
        peer.close();
    }

    /** Posts a send, a read and an atomic: PSN to PSN + 2. */
    private void post() {
        subject.post(WrOpcode.SEND, 1, 0, 10);
        subject.post(subject.wr(WrOpcode.RDMA_READ, 2, 0, 10).remoteAddr(1).rkey(1));
        subject.post(
                subject.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 3, 0, 8).remoteAddr(8).rkey(1));
        for (int i = 0; i < REQUESTS; i++) {
            peer.next();
        }
    }

    private void complete() {
        assertThat(subject.get(0, BYTES)).isEqualTo(bytes(BYTES, 1));
        peer.ack(PSN);
        subject.next(1, WcStatus.SUCCESS);
        peer.readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PSN + 1, bytes(10, 2));
        subject.next(2, WcStatus.SUCCESS);
        peer.atomicResponse(PSN + 2, 7);
        subject.next(3, WcStatus.SUCCESS);
        assertThat(subject.state()).isEqualTo(QpState.RTS);
    }

    /** Sends all kinds of responses, and acknowledgements with every syndrome; returns how many. */
    private static int sendAll(Intruder from, int psn) {
        for (int syndrome = 0; syndrome < SYNDROMES; syndrome++) {
            int value = syndrome;
            from.send(Opcode.RC_ACKNOWLEDGE, psn, new byte[0], (b, at) -> Aeth.write(b, at, value, 0));
        }
        int sent = SYNDROMES;
        for (int opcode = Opcode.RC_RDMA_READ_RESPONSE_FIRST; opcode <= Opcode.RC_ATOMIC_ACKNOWLEDGE; opcode++) {
            if (opcode != Opcode.RC_ACKNOWLEDGE) {
                from.send(opcode, psn, Opcode.hasPayload(opcode) ? bytes(1024, 9) : new byte[0], null);
                sent++;
            }
        }
        return sent;
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, -2, -1000, -(1 << 23), REQUESTS, REQUESTS + 1, 1000, (1 << 23) - 1})
    void responseWithUnexpectedPsnDoesNothing(int distance) {
        post();
        int sent = sendAll(intruder, PsnMath.add(PSN, distance));
        subject.awaitCount(TransportCounters.GHOST_RESPONSE, sent);
        subject.nothingCompletes();
        peer.silence();
        complete();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void responseWithoutRequestDoesNothing(int distance) {
        int sent = sendAll(intruder, PSN + distance);
        subject.awaitCount(TransportCounters.GHOST_RESPONSE, sent);
        peer.silence();
        post();
        complete();
    }

    @Test
    void responseFromOtherAddressDoesNothing() {
        post();
        try (Intruder stranger = intruder(Gid.of(TestContext.newAddress()))) {
            int sent = 0;
            for (int i = 0; i < REQUESTS; i++) {
                sent += sendAll(stranger, PSN + i);
                subject.awaitCount(TransportCounters.WRONG_SOURCE, sent);
            }
        }
        subject.nothingCompletes();
        peer.silence();
        complete();
    }

    /** The port is not checked, as in the kernel: adapters send from any port. */
    @Test
    void responseFromOtherPortOfPeerCounts() {
        post();
        intruder.send(Opcode.RC_ACKNOWLEDGE, PSN, new byte[0], (b, at) -> Aeth.write(b, at, Aeth.ACK_UNLIMITED, 0));
        subject.next(1, WcStatus.SUCCESS);
    }
}
