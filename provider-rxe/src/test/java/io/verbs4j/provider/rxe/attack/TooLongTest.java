/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.provider.rxe.packet.ScriptedPeer;
import io.verbs4j.provider.rxe.packet.Subject;
import io.verbs4j.provider.rxe.packet.TransportCounters;
import io.verbs4j.provider.rxe.wire.Deth;
import io.verbs4j.provider.rxe.wire.Opcode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages and datagrams longer than the receive: they end no queue pair, and consume no receive. */
@Tag("attack")
class TooLongTest {
    private static final int PSN = 200;
    private static final int MTU = 1024;
    private static final int GRH = 40;
    private static final int BYTES = 1 << 16;

    private static void stays(Subject s, int count) {
        s.awaitCount(TransportCounters.TOO_LONG, count);
        s.nothingCompletes();
        assertThat(s.state()).isEqualTo(QpState.RTS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tooLongUcMessagesKeepReceives(boolean shared) {
        try (ScriptedPeer peer = new ScriptedPeer();
                Subject s = new Subject(QpType.UC, null, BYTES, shared)) {
            peer.connect(s.gid(), s.qp.qpNum());
            s.connect(peer.gid(), ScriptedPeer.QPN, 100, PSN);
            s.recv(1, 0, 1500);
            s.recv(2, 2000, 50);
            try (Intruder intruder = new Intruder(peer.gid(), s.gid(), s.qp.qpNum())) {
                intruder.send(Opcode.UC_SEND_FIRST, 77, bytes(MTU, 1), null);
                intruder.send(Opcode.UC_SEND_MIDDLE, 78, bytes(MTU, 1), null);
                stays(s, 1);
                intruder.send(Opcode.UC_SEND_FIRST, 77, bytes(MTU, 1), null);
                intruder.send(Opcode.UC_SEND_LAST, 78, bytes(477, 1), null);
                stays(s, 2);
            }
            assertThat(s.get(1500, BYTES - 1500)).isEqualTo(new byte[BYTES - 1500]);
            peer.data(Opcode.UC_SEND_ONLY, PSN, false, bytes(100, 2));
            assertThat(s.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(100);
            assertThat(s.get(0, 100)).isEqualTo(bytes(100, 2));
            try (Intruder intruder = new Intruder(peer.gid(), s.gid(), s.qp.qpNum())) {
                intruder.send(Opcode.UC_SEND_ONLY, 77, bytes(51, 1), null);
                stays(s, 3);
            }
            peer.data(Opcode.UC_SEND_ONLY, PSN + 1, false, bytes(50, 2));
            s.next(2, WcStatus.SUCCESS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tooLongDatagramsKeepReceives(boolean shared) {
        try (ScriptedPeer peer = new ScriptedPeer();
                Subject s = new Subject(QpType.UD, null, BYTES, shared)) {
            peer.connect(s.gid(), s.qp.qpNum());
            s.connect(peer.gid(), 0, 100, 0);
            s.recv(1, 0, GRH + 98);
            s.recv(2, 0, GRH - 1);
            for (int i = 1; i <= 10; i++) {
                peer.datagram(5, Subject.QKEY, 7, bytes(98 + i, 1));
                stays(s, i);
            }
            assertThat(s.get(0, BYTES)).isEqualTo(new byte[BYTES]);
            peer.datagram(5, Subject.QKEY, 7, bytes(98, 1));
            assertThat(s.next(1, WcStatus.SUCCESS).byteLen()).isEqualTo(GRH + 98);
            try (Intruder intruder = new Intruder(peer.gid(), s.gid(), s.qp.qpNum())) { // no room for the header
                intruder.send(Opcode.UD_SEND_ONLY, 5, new byte[0], (b, at) -> Deth.write(b, at, Subject.QKEY, 7));
            }
            stays(s, 11);
        }
    }
}
