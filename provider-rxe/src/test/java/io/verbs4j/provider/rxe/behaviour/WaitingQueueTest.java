/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.WaitingQueue;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.OwnThreads;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A completion queue that threads wait on. */
@Timeout(Patience.TEST_SECONDS)
class WaitingQueueTest {
    private final Side a = new Side(Verbs.devices().get(0), TwoSides.BYTES);
    private final List<Long> seen = Collections.synchronizedList(new ArrayList<>());
    private WaitingQueue queue;

    @BeforeEach
    void connect() {
        queue = new WaitingQueue(a.context, 64);
        a.cq = queue.cq();
        a.createQp();
        Side.connectToItself(a);
    }

    @AfterEach
    void close() {
        a.close();
    }

    private void write(int wrId) {
        a.post(Side.wr(WrOpcode.RDMA_WRITE, wrId, a.sge(0, 100))
                .remoteAddr(a.mr.addr() + 200)
                .rkey(a.mr.rkey()));
    }

    private void end() {
        a.qp.close();
        queue.close();
    }

    private void awaitSeen(int count) {
        for (int turn = 0; seen.size() < count; turn++) {
            Patience.pause(turn);
        }
    }

    @Test
    void awaitReturnsCompletionsOrTimesOut() {
        WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion()};
        assertThat(queue.await(wc, 0, TimeUnit.SECONDS)).isZero();
        assertThat(queue.await(wc, 20, TimeUnit.MILLISECONDS)).isZero();
        write(1);
        assertThat(queue.await(wc, 1, TimeUnit.DAYS)).isEqualTo(1);
        CompletableFuture<Integer> coming = OwnThreads.supply(() -> queue.await(wc, 1, TimeUnit.DAYS));
        write(2);
        assertThat(coming.join()).isEqualTo(1);
        assertThat(wc[0].wrId()).isEqualTo(2);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> queue.await(wc, 1, TimeUnit.DAYS))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINTR));
        assertThat(Thread.interrupted()).isTrue();
        end();
        assertThatThrownBy(() -> queue.await(wc, 1, TimeUnit.DAYS))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
    }

    @Test
    void runHandlesCompletionsUntilClosed() throws InterruptedException {
        Thread runner = new Thread(() -> queue.run(wc -> seen.add(wc.wrId())));
        runner.start();
        for (int i = 0; i < 40; i++) {
            write(i);
            if (i % 10 == 0) {
                awaitSeen(i + 1);
            }
        }
        awaitSeen(40);
        end();
        runner.join();
        assertThat(seen).isSorted().hasSize(40);
        queue.close();
    }

    /** The other thread's handler is not interrupted, and everything in the queue is handled when the call returns. */
    @Test
    void handleWaitsForRunningHandler() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread runner = new Thread(() -> queue.run(wc -> {
            inside.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            seen.add(wc.wrId());
        }));
        runner.start();
        write(1);
        inside.await();
        Thread opener = new Thread(() -> {
            Patience.pause(1000);
            goOn.countDown();
        });
        opener.start();
        write(2);
        queue.handle(wc -> seen.add(wc.wrId()));
        assertThat(seen).containsExactly(1L, 2L);
        end();
        runner.join();
        opener.join();
    }

    @Test
    void handlerMayNestAndThrow() {
        for (int i = 0; i < 40; i++) {
            write(i);
        }
        assertThatThrownBy(() -> queue.handle(wc -> {
                    seen.add(wc.wrId());
                    if (wc.wrId() == 3) {
                        queue.handle(inner -> seen.add(inner.wrId()));
                        throw new IllegalStateException("handler of 3 failed");
                    }
                }))
                .hasMessage("handler of 3 failed");
        assertThat(seen).hasSize(40).doesNotHaveDuplicates();
        end();
    }

    @Test
    void closeIsRefusedWhileQueuePairUsesIt() {
        assertThatThrownBy(queue::close)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
        end();
    }
}
