/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpType;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A span that arrives while another request is being executed cannot be kept, and the peer must be notified each time.
 */
class HandedOverSpanTest {
    private static final int PSN = 200;
    private static final int BYTES = 16; // BTH and ICRC

    private final ScriptedPeer peer = new ScriptedPeer();
    private Subject subject;
    private RcPath path;

    @BeforeEach
    void connect() {
        subject = new Subject(QpType.RC, null, 4096);
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.connect(peer.gid(), ScriptedPeer.QPN, 100, PSN);
        path = new RcPath(
                ((RxeQueuePair) subject.qp).qp,
                subject.context.port().openLinks().get(0),
                new HeldPaths(),
                new AwaitedReceipts(),
                new TransportCounters());
    }

    @AfterEach
    void close() {
        subject.close();
        peer.close();
    }

    private void lose(int psn) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
        Bth.write(buffer, 0, Opcode.RC_SEND_ONLY, false, true, 0, 0xffff, subject.qp.qpNum(), true, psn);
        Packet packet = new Packet();
        assertThat(packet.parse(buffer, 0, BYTES)).isEqualTo(Packet.OK);
        path.lose(packet);
        path.answer();
    }

    /** The span was sent again and nothing else follows: without a NAK the peer would wait for its timeout. */
    @Test
    void eachLossOfNextSpanIsReported() {
        lose(PSN);
        peer.nextNak(PSN, Aeth.NAK_PSN_SEQUENCE_ERROR);
        lose(PSN);
        peer.nextNak(PSN, Aeth.NAK_PSN_SEQUENCE_ERROR);
    }

    @Test
    void lossBehindGapIsNotReportedAgain() {
        lose(PSN);
        peer.nextNak(PSN, Aeth.NAK_PSN_SEQUENCE_ERROR);
        lose(PSN + 1);
        peer.silence();
    }
}
