/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AddressHandle;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A work request that another thread changes while it is posted is accepted or refused; nothing is thrown. */
@Timeout(Patience.TEST_SECONDS)
class PostRaceTest {
    @Test
    void changingRequestIsAcceptedOrRefused() throws InterruptedException {
        try (ScriptedPeer peer = new ScriptedPeer();
                Subject subject = new Subject(QpType.UD, null, 4096);
                AddressHandle ah = subject.pd.createAh(Subject.path(peer.gid()))) {
            subject.connect(peer.gid(), 0, 1, 2);
            ScatterGatherElement[] whole = {ScatterGatherElement.of(subject.mr, 0, 8)};
            ScatterGatherElement[] broken = {null};
            SendWorkRequest wr = subject.wr(WrOpcode.SEND, 1, 0, 8).ah(ah).remoteQpn(5);
            Thread changes = new Thread(() -> {
                for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                    wr.ah((i & 1) == 0 ? null : ah);
                    wr.opcode((i & 2) == 0 ? WrOpcode.RDMA_READ : WrOpcode.SEND);
                    switch (i % 3) {
                        case 0 -> wr.sgList(null, 1);
                        case 1 -> wr.sgList(broken, 1);
                        default -> wr.sgList(whole, 1);
                    }
                }
            });
            changes.start();
            int posted = 0;
            try {
                WorkCompletion[] wc = {new WorkCompletion()};
                long begin = System.nanoTime();
                long enough = TimeUnit.MILLISECONDS.toNanos(500);
                long patience = TimeUnit.SECONDS.toNanos(60); // until one was accepted, on a busy machine
                while (System.nanoTime() - begin < (posted == 0 ? patience : enough)) {
                    if (subject.qp.postSend(wr) == 0) {
                        posted++;
                        subject.cq.poll(1, wc);
                    }
                }
            } finally {
                changes.interrupt();
                changes.join();
            }
            assertThat(posted).isPositive();
        }
    }
}
