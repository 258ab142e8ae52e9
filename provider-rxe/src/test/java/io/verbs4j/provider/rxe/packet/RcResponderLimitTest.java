/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.QpType;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Reth;
import io.verbs4j.testsupport.Patience;
import org.junit.jupiter.api.Test;

/** A peer can make a queue pair hold only a bounded amount of state, whatever it requests. */
class RcResponderLimitTest {
    private static final int MTU = 1024;
    private static final int PSN = 200;
    private static final int BYTES = 16 << 20;
    private static final int LARGE = BYTES / 2 / MTU;
    private static final int REPEATS = 3 * ResponseQueue.CAPACITY;

    @Test
    void repeatedReadsBehindLargeOneAreDropped() {
        try (ScriptedPeer peer = new ScriptedPeer();
                Subject subject = new Subject(QpType.RC, null, BYTES)) {
            peer.connect(subject.gid(), subject.qp.qpNum());
            subject.connect(peer.gid(), ScriptedPeer.QPN, 100, PSN);
            RcResponder responder = ((RcPath) ((RxeQueuePair) subject.qp).qp.path()).responder;
            peer.read(PSN, subject.address(0), subject.mr.rkey(), BYTES);
            await(subject, responder, 0);

            // The first read pauses repeatedly, during which all others have to wait.
            int most = 0;
            long end = System.nanoTime() + Patience.NANOS;
            WorkCompletion[] none = {};
            while (subject.counters().get(TransportCounters.RESPONDER_FULL) == 0) {
                assertThat(System.nanoTime())
                        .as("%s, at most %d", subject.counters(), most)
                        .isLessThan(end);
                peer.read(PSN, subject.address(0), subject.mr.rkey(), (long) LARGE * MTU);
                for (int i = 0; i < REPEATS; i++) {
                    long va = subject.address((LARGE + i) * MTU);
                    peer.add(
                            Opcode.RC_RDMA_READ_REQUEST,
                            PSN + LARGE + i,
                            true,
                            new byte[0],
                            (b, at) -> Reth.write(b, at, va, subject.mr.rkey(), 8));
                }
                peer.read(PSN + LARGE + REPEATS, subject.address((LARGE + REPEATS) * MTU), subject.mr.rkey(), 8);
                for (int i = 0; i < REPEATS; i++) {
                    subject.cq.poll(0, none);
                    most = Math.max(most, responder.backlog());
                }
            }
            assertThat(most).isLessThanOrEqualTo(ResponseQueue.CAPACITY);
            assertThat(subject.counters().get(TransportCounters.FAILURE)).isZero();
            await(subject, responder, 0);

            // It still answers.
            peer.forget();
            peer.read(PSN + 7, subject.address(7 * MTU), subject.mr.rkey(), 100);
            Received answer = peer.next();
            while (answer.opcode() != Opcode.RC_RDMA_READ_RESPONSE_ONLY || answer.psn() != PSN + 7) {
                answer = peer.next(); // of an earlier read
            }
            assertThat(answer.packet.payloadLength()).isEqualTo(100);
        }
    }

    private static void await(Subject subject, RcResponder responder, int backlog) {
        long end = System.nanoTime() + Patience.NANOS;
        do {
            subject.nothingCompletes();
            assertThat(System.nanoTime()).isLessThan(end);
        } while (responder.backlog() > backlog);
    }

    @Test
    void responseQueueIsBounded() {
        ResponseQueue queue = new ResponseQueue();
        for (int i = 0; i < ResponseQueue.CAPACITY; i++) {
            assertThat(queue.isFull()).isFalse();
            queue.addAtomic(i, i);
        }
        assertThat(queue.isFull()).isTrue();
        assertThatThrownBy(() -> queue.addRead(500, 1, 0, 0, 0, 0, false)).isInstanceOf(IllegalStateException.class);
        assertThat(queue.psn()).isZero();
    }
}
