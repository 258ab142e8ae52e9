/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.packet.Subject;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Circular lists end although another thread keeps polling and making room. */
@Timeout(Patience.TEST_SECONDS)
class CyclicListTest {
    private static final int CALLS = 20;

    /** RDMA writes within a device are executed when posted; others, and writes that are not plain, are queued. */
    @ParameterizedTest
    @CsvSource({"true, 1, 1", "true, 3, 1", "true, 1, 2", "false, 1, 1", "false, 2, 2"})
    void cyclicListOfSendsEnds(boolean oneDevice, int length, int pieces) throws InterruptedException {
        TestContext device = TestContext.open(TestContext.PACKETS);
        try (Subject a = new Subject(device, QpType.RC, 4096);
                Subject b = new Subject(
                        oneDevice ? device.again() : TestContext.open(TestContext.PACKETS), QpType.RC, 4096)) {
            a.connect(b.gid(), b.qp.qpNum(), 1, 1);
            b.connect(a.gid(), a.qp.qpNum(), 1, 1);
            AtomicBoolean ended = new AtomicBoolean();
            Thread poller = new Thread(() -> poll(a, ended));
            poller.start();
            try {
                SendWorkRequest first = cycle(a, b, length, pieces);
                SendWorkRequest[] bad = new SendWorkRequest[1];
                for (int i = 0; i < CALLS; i++) {
                    assertThat(a.qp.postSend(first, bad)).isEqualTo(Errno.ENOMEM);
                    assertThat(bad[0]).isNotNull();
                }
            } finally {
                ended.set(true);
                poller.join();
            }
        }
    }

    private static void poll(Subject s, AtomicBoolean ended) {
        WorkCompletion[] wc = new WorkCompletion[16];
        for (int i = 0; i < wc.length; i++) {
            wc[i] = new WorkCompletion();
        }
        for (int turn = 0; !ended.get(); turn++) {
            if (s.cq.poll(wc.length, wc) > 0) {
                turn = 0;
            }
            Patience.pause(turn);
        }
    }

    private static SendWorkRequest cycle(Subject a, Subject b, int length, int pieces) {
        ScatterGatherElement[] list = new ScatterGatherElement[pieces];
        for (int i = 0; i < pieces; i++) {
            list[i] = new ScatterGatherElement().addr(a.address(0)).length(8).lkey(a.mr.lkey());
        }
        SendWorkRequest first = null;
        SendWorkRequest last = null;
        for (int i = 0; i < length; i++) {
            SendWorkRequest wr = new SendWorkRequest()
                    .wrId(i)
                    .opcode(WrOpcode.RDMA_WRITE)
                    .sendFlags(SendFlags.SIGNALED)
                    .sgList(list)
                    .remoteAddr(b.address(0))
                    .rkey(b.mr.rkey());
            if (last == null) {
                first = wr;
            } else {
                last.next(wr);
            }
            last = wr;
        }
        last.next(first);
        return first;
    }

    /** Receives of a queue from which another thread keeps taking. */
    @Test
    void cyclicListOfReceivesEnds() throws InterruptedException {
        RecvQueue queue = new RecvQueue(64, 1);
        AtomicBoolean ended = new AtomicBoolean();
        Thread taker = new Thread(() -> {
            RecvWqe wqe = new RecvWqe(1);
            for (int turn = 0; !ended.get(); turn++) {
                if (queue.take(wqe)) {
                    turn = 0;
                }
                Patience.pause(turn);
            }
        });
        taker.start();
        RecvWorkRequest wr = new RecvWorkRequest().sgList(new ScatterGatherElement().length(8));
        wr.next(wr);
        RecvWorkRequest[] bad = new RecvWorkRequest[1];
        try {
            for (int i = 0; i < CALLS; i++) {
                assertThat(queue.post(wr, bad)).isEqualTo(Errno.ENOMEM);
                assertThat(bad[0]).isSameAs(wr);
            }
        } finally {
            ended.set(true);
            taker.join();
        }
    }
}
