/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.provider.rxe.wire.Opcode;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which packets reach a queue pair. */
class DispatcherTest {
    private static final int PSN = 200;
    private static final int BYTES = 1 << 16;

    private final ScriptedPeer peer = new ScriptedPeer();
    private final Subject subject = new Subject(QpType.RC, null, BYTES);

    private void connect() {
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.connect(peer.gid(), ScriptedPeer.QPN, 100, PSN);
        subject.recv(1, 0, 1000);
    }

    @AfterEach
    void close() {
        subject.close();
        peer.close();
    }

    /** Asserts that the packet was dropped for a reason, unnoticed by the queue pair. */
    private void dropped(int counter) {
        subject.awaitCount(counter, 1);
        peer.silence();
        subject.nothingCompletes();
        peer.connect(subject.gid(), subject.qp.qpNum());
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        peer.nextAck(PSN);
        subject.next(1, WcStatus.SUCCESS);
    }

    @Test
    void packetToUnknownQueuePairIsDropped() {
        connect();
        peer.connect(subject.gid(), subject.qp.qpNum() ^ 1);
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        dropped(TransportCounters.UNKNOWN_QP);
    }

    @Test
    void packetOfWrongServiceIsDropped() {
        connect();
        peer.data(Opcode.UC_SEND_ONLY, PSN, true, bytes(4, 1));
        dropped(TransportCounters.WRONG_SERVICE);
    }

    @Test
    void packetOfWrongPartitionIsDropped() {
        connect();
        peer.pkey(0x1234).data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        dropped(TransportCounters.WRONG_PKEY);
    }

    @Test
    void limitedPartitionMemberIsHeard() {
        connect();
        peer.pkey(0x7fff).data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        peer.nextAck(PSN);
    }

    @Test
    void packetFromWrongSourceIsDropped() {
        connect();
        try (ScriptedPeer stranger = new ScriptedPeer()) {
            stranger.connect(subject.gid(), subject.qp.qpNum());
            stranger.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
            dropped(TransportCounters.WRONG_SOURCE);
        }
    }

    @Test
    void packetInWrongStateIsDropped() {
        connect();
        subject.qp.modify(new QpAttr().qpState(QpState.ERR));
        subject.next(1, WcStatus.WR_FLUSH_ERR);
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        subject.awaitCount(TransportCounters.WRONG_STATE, 1);
        peer.silence();
    }

    @Test
    void connectedPacketToGroupIsDropped() {
        connect();
        peer.connect(subject.gid(), 0xff_ffff);
        peer.data(Opcode.RC_SEND_ONLY, PSN, true, bytes(4, 1));
        dropped(TransportCounters.WRONG_SERVICE);
    }

    /** Random packets with arbitrary headers: nothing fails, and nothing is written outside the given memory. */
    @Test
    void randomPacketsDoNoHarm() {
        Random random = new Random(20);
        for (int round = 0; round < 40; round++) {
            try (Subject s = new Subject(QpType.RC, null, BYTES)) {
                peer.connect(s.gid(), s.qp.qpNum());
                s.connect(peer.gid(), ScriptedPeer.QPN, 100, PSN);
                s.recv(1, 1000, 3000);
                s.post(io.verbs4j.WrOpcode.SEND, 2, 0, 0);
                int psn = PSN;
                for (int i = 0; i < 100; i++) {
                    int opcode = random.nextInt(0x18);
                    if (!Opcode.isKnown(opcode)) {
                        continue;
                    }
                    byte[] data = Opcode.hasPayload(opcode) ? bytes(random.nextInt(1100), 1) : new byte[0];
                    boolean plausible = random.nextBoolean();
                    int at = Opcode.isResponse(opcode)
                            ? 100 + random.nextInt(3)
                            : plausible ? psn++ : random.nextInt(1 << 24);
                    byte[] junk = new byte[Opcode.headerLength(opcode) - 12];
                    random.nextBytes(junk);
                    peer.send(opcode, at, random.nextBoolean(), data, (b, o) -> b.put(o, junk));
                }
                s.cq.poll(0, new io.verbs4j.WorkCompletion[0]);
                s.qp.modify(new QpAttr().qpState(QpState.ERR));
                assertThat(s.counters().get(TransportCounters.FAILURE)).isZero();
                assertThat(s.get(0, 1000)).isEqualTo(new byte[1000]);
                assertThat(s.get(4000, BYTES - 4000)).isEqualTo(new byte[BYTES - 4000]);
            }
        }
    }
}
