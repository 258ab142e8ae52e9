/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;

import io.verbs4j.QpType;
import io.verbs4j.WrOpcode;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/** A queue pair that sends, and its scripted peer. */
abstract class RequesterRig {
    static final int MTU = 1024;
    static final int PSN = 100;
    static final int RKEY = 0x12345678;
    static final long VA = 0x1000_0000_0000L;
    static final int BYTES = 4 << 20;

    final ScriptedPeer peer = new ScriptedPeer();
    Subject subject;

    void start() {
        start(PSN, s -> {});
    }

    void start(int psn, Consumer<Subject> settings) {
        subject = new Subject(QpType.RC, null, BYTES);
        settings.accept(subject);
        subject.put(0, bytes(BYTES, 1));
        peer.connect(subject.gid(), subject.qp.qpNum());
        subject.connect(peer.gid(), ScriptedPeer.QPN, psn, 200);
    }

    @AfterEach
    void close() {
        if (subject != null) {
            subject.close();
        }
        peer.close();
    }

    void read(long id, int at, int length) {
        subject.post(
                subject.wr(WrOpcode.RDMA_READ, id, at, length).remoteAddr(VA).rkey(RKEY));
    }

    void write(long id, int at, int length) {
        subject.post(
                subject.wr(WrOpcode.RDMA_WRITE, id, at, length).remoteAddr(VA).rkey(RKEY));
    }
}
