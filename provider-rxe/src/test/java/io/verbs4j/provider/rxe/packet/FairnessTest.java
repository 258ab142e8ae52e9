/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Mtu;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.testsupport.Patience;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No queue pair starves the others of a port's threads, and packets and timers do not starve each other. */
@Timeout(Patience.TEST_SECONDS)
class FairnessTest {
    private static final int BYTES = 32 << 20;
    private static final int PIECES = 32;

    @Test
    void timersRunWhileAnotherQueuePairSends() {
        try (ScriptedPeer peer = new ScriptedPeer();
                Subject subject = new Subject(QpType.RC, null, BYTES);
                QueuePair busy = subject.pd.createQp(new QpInitAttr()
                        .qpType(QpType.UC)
                        .sendCq(subject.cq)
                        .recvCq(subject.cq)
                        .cap(new QpCap().maxSendWr(4).maxSendSge(PIECES)))) {
            QpWalk.of(QpType.UC).mtu(Mtu.MTU_256).connect(busy, QpWalk.path(peer.gid()), 1);
            ScatterGatherElement[] pieces = new ScatterGatherElement[PIECES];
            Arrays.fill(pieces, ScatterGatherElement.of(subject.mr, 0, BYTES));
            SendWorkRequest large =
                    new SendWorkRequest().opcode(WrOpcode.SEND).wrId(9).sgList(pieces);
            assertThat(busy.postSend(large)).isZero(); // millions of packets, sent in turns by the worker thread

            peer.connect(subject.gid(), subject.qp.qpNum());
            subject.timeout = 10; // 4 ms
            subject.retryCnt = 1;
            subject.connect(peer.gid(), ScriptedPeer.QPN, 100, 200);
            subject.post(WrOpcode.SEND, 1, 0, 10);
            subject.next(1, WcStatus.RETRY_EXC_ERR);
            assertThat(((RxeQueuePair) busy).qp.sendQueue().isEmpty())
                    .as("the timer waited for all packets of another queue pair")
                    .isFalse();
        }
    }

    @Test
    void timersRunDuringPacketFlood() throws InterruptedException {
        try (ScriptedPeer peer = new ScriptedPeer();
                Subject subject = new Subject(QpType.RC, null, 4096)) {
            peer.connect(subject.gid(), subject.qp.qpNum());
            subject.timeout = 10;
            subject.retryCnt = 1;
            subject.connect(peer.gid(), ScriptedPeer.QPN, 100, 200);
            Thread flood = new Thread(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    peer.ack(5000); // acknowledges nothing
                }
            });
            flood.start();
            try {
                subject.awaitCount(TransportCounters.GHOST_RESPONSE, 1000);
                subject.post(WrOpcode.SEND, 1, 0, 10);
                subject.next(1, WcStatus.RETRY_EXC_ERR);
            } finally {
                flood.interrupt();
                flood.join();
            }
        }
    }

    @Test
    void packetsArriveWhileTimersKeepFiring() {
        try (ScriptedPeer peer = new ScriptedPeer();
                Subject subject = new Subject(QpType.RC, null, 4096);
                QueuePair other = subject.pd.createQp(new QpInitAttr()
                        .qpType(QpType.UC)
                        .sendCq(subject.cq)
                        .recvCq(subject.cq)
                        .cap(new QpCap().maxSendWr(1)))) {
            peer.connect(subject.gid(), subject.qp.qpNum());
            subject.connect(peer.gid(), ScriptedPeer.QPN, 100, 200);
            // Nobody polls: the device's threads have to receive packets.
            while (subject.counters().get(TransportCounters.GHOST_RESPONSE) < 100) {
                ((RxeQueuePair) other).qp.wakeAt(((RxeQueuePair) other).qp.now());
                peer.ack(5000);
            }
        }
    }
}
