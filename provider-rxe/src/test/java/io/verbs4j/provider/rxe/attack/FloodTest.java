/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.LinkCounters;
import io.verbs4j.provider.rxe.packet.ScriptedPeer;
import io.verbs4j.provider.rxe.packet.Subject;
import io.verbs4j.provider.rxe.packet.TransportCounters;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.testsupport.Extent;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many packets from a sender that is nobody's peer. {@link FloodBench} measures their cost. */
@Tag("attack")
class FloodTest {
    private static final int MESSAGES = Extent.isHours() ? 50_000 : 500;
    private static final int MESSAGE = 10_000;

    /** A wrong queue pair number, source or type is detected before anything is computed. */
    @Test
    void unwantedPacketsAreDroppedBeforeIcrcCheck() {
        Gid stranger = Gid.of(TestContext.newAddress());
        try (ScriptedPeer peer = new ScriptedPeer();
                Subject s = new Subject(QpType.RC, null, 4096);
                Intruder unknown = new Intruder(peer.gid(), s.gid(), s.qp.qpNum() ^ 1).damaged();
                Intruder elsewhere = new Intruder(stranger, s.gid(), s.qp.qpNum()).damaged();
                Intruder here = new Intruder(peer.gid(), s.gid(), s.qp.qpNum()).damaged()) {
            s.connect(peer.gid(), ScriptedPeer.QPN, 1, 1);
            unknown.send(Opcode.RC_SEND_ONLY, 1, new byte[32], null);
            s.awaitCount(TransportCounters.UNKNOWN_QP, 1);
            elsewhere.send(Opcode.RC_SEND_ONLY, 1, new byte[32], null);
            s.awaitCount(TransportCounters.WRONG_SOURCE, 1);
            here.send(Opcode.UC_SEND_ONLY, 1, new byte[32], null);
            s.awaitCount(TransportCounters.WRONG_SERVICE, 1);
            LinkCounters link = s.context.port().openLinks().get(0).counters();
            assertThat(link.get(LinkCounters.RX_BAD_ICRC)).isZero();
            here.send(Opcode.RC_SEND_ONLY, 1, new byte[32], null);
            while (link.get(LinkCounters.RX_BAD_ICRC) == 0) {
                s.nothingCompletes();
            }
            assertThat(link.get(LinkCounters.RX_PACKETS)).isZero();
        }
    }

    @Test
    void trafficContinuesDuringFlood() throws InterruptedException {
        AtomicBoolean ended = new AtomicBoolean();
        try (Subject a = new Subject(QpType.RC, null, 1 << 20);
                Subject b = new Subject(QpType.RC, null, 1 << 20)) {
            for (Subject s : new Subject[] {a, b}) {
                s.retryCnt = 7;
                s.connect(s == a ? b.gid() : a.gid(), (s == a ? b : a).qp.qpNum(), 1, 1);
            }
            Gid stranger = Gid.of(TestContext.newAddress());
            Thread flood = new Thread(() -> {
                try (Intruder unknown = new Intruder(stranger, b.gid(), b.qp.qpNum() ^ 1);
                        Intruder known = new Intruder(stranger, b.gid(), b.qp.qpNum())) {
                    for (int psn = 0; !ended.get(); psn++) {
                        unknown.send(Opcode.RC_SEND_ONLY, psn, new byte[32], null);
                        known.send(Opcode.RC_SEND_ONLY, psn, new byte[32], null);
                    }
                }
            });
            flood.start();
            try {
                b.awaitCount(TransportCounters.WRONG_SOURCE, 1);
                for (int i = 0; i < MESSAGES; i++) {
                    a.put(0, ScriptedPeer.bytes(MESSAGE, i));
                    a.post(a.wr(WrOpcode.RDMA_WRITE, i, 0, MESSAGE)
                            .remoteAddr(b.address(0))
                            .rkey(b.mr.rkey()));
                    a.next(i, WcStatus.SUCCESS);
                    assertThat(b.get(0, MESSAGE)).isEqualTo(a.get(0, MESSAGE));
                }
            } finally {
                ended.set(true);
                flood.join();
            }
        }
    }
}
