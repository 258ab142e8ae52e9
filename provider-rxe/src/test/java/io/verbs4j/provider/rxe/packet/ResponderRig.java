/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.EventType;
import io.verbs4j.QpType;
import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.PsnMath;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/** A queue pair that receives, and its scripted peer. */
abstract class ResponderRig {
    static final int MTU = 1024;
    static final int PSN = 200;
    static final int BYTES = 4 << 20;

    final ScriptedPeer peer = new ScriptedPeer();
    Subject subject;

    void start() {
        start(PSN, s -> {});
    }

    void start(int psn, Consumer<Subject> settings) {
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

    void refused(int psn, int reason, int event) {
        peer.nextNak(psn, reason);
        subject.nextEvent(event);
        subject.awaitError();
    }

    void invalid(int psn) {
        refused(psn, Aeth.NAK_INVALID_REQUEST, EventType.QP_REQ_ERR);
    }

    void answer(int psn, int at, int length, byte[] expected) {
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
}
