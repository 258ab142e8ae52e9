/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.DevicePorts;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.queue.EventQueue;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Threads of a program that sleep until something completes receive packets themselves. */
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class SleepersTest extends TwoSides {
    private static final int ROUNDS = 200;

    @Override
    boolean overTheWire() {
        return true;
    }

    private void startWithChannel() {
        start(side -> side.withChannel = side == b);
    }

    private void send(int round) {
        a.post(Side.wr(WrOpcode.SEND, round, a.sge(0, 64)));
    }

    private EventQueue.Post manned(Port port) throws InterruptedException {
        EventQueue.Post post = port.post();
        while (post == null) {
            TimeUnit.MICROSECONDS.sleep(100);
            post = port.post();
        }
        return post;
    }

    @Test
    void waiterReceivesPacketsAndDeviceTakesOver() throws InterruptedException {
        startWithChannel();
        BlockingQueue<Thread> told = new LinkedBlockingQueue<>();
        b.channel.onEvent(() -> told.add(Thread.currentThread()));
        Port port = DevicePorts.of(b.context.device());
        for (int i = 1; i <= 20; i++) {
            EventQueue.Post post = manned(port);
            assertThat(port.post()).as("post while one thread is waiting").isNull();
            assertThat(b.cq.reqNotify(false)).isZero();
            b.recv(i, 0, 64);
            send(i);
            while (told.isEmpty()) {
                assertThat(post.await(TimeUnit.SECONDS.toNanos(1))).isTrue();
            }
            assertThat(told.take()).isSameAs(Thread.currentThread());
            post.leave();

            assertThat(b.cq.reqNotify(false)).isZero();
            b.recv(-i, 0, 64);
            send(-i);
            assertThat(told.take().getName()).contains("receiver");
            for (int wrId : new int[] {i, -i}) {
                a.next(wrId, WcStatus.SUCCESS);
                b.next(wrId, WcStatus.SUCCESS);
            }
            while (b.channel.getEvent(0, TimeUnit.SECONDS) != null) {
                b.cq.ackEvents(1);
            }
        }
    }

    @Test
    void leavingTwiceKeepsPostOfOthers() throws Exception {
        startWithChannel();
        Port port = DevicePorts.of(b.context.device());
        EventQueue.Post post = manned(port);
        post.leave();
        CountDownLatch has = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        FutureTask<Void> other = new FutureTask<>(() -> {
            EventQueue.Post its = manned(port);
            has.countDown();
            over.await();
            its.leave();
            return null;
        });
        new Thread(other).start();
        has.await();
        post.leave();
        assertThat(port.post()).as("post while another thread has it").isNull();
        over.countDown();
        other.get();
    }

    /**
     * A message wakes a thread that then works without looking at its queue: the next sender still gets an
     * acknowledgement.
     */
    @Test
    void messagesAreAcknowledgedWhileSleeperWorks() throws Exception {
        startWithChannel();
        for (int i = 1; i <= ROUNDS / 2; i++) {
            b.recv(i, 0, 64);
            b.recv(i, 0, 64);
            assertThat(b.cq.reqNotify(false)).isZero();
            FutureTask<Object> sleeps = new FutureTask<>(() -> b.channel.getEvent());
            new Thread(sleeps).start();
            if (i % 8 == 0) {
                TimeUnit.MILLISECONDS.sleep(70); // the device's own thread naps longer
            }
            send(i);
            assertThat(sleeps.get()).isSameAs(b.cq);
            b.cq.ackEvents(1);
            a.next(i, WcStatus.SUCCESS);
            send(ROUNDS + i); // nobody polls on that side
            a.next(ROUNDS + i, WcStatus.SUCCESS);
            b.next(i, WcStatus.SUCCESS);
            b.next(i, WcStatus.SUCCESS);
        }
    }

    /** Both sides sleep between messages. */
    @Test
    void sleepersAnswerEachOther() throws Exception {
        start(side -> side.withChannel = true);
        FutureTask<Void> echo = new FutureTask<>(
                () -> {
                    for (int i = 1; i <= 10 * ROUNDS; i++) {
                        b.recv(i, 0, 64);
                        awaitCompletions(b, 1);
                        b.post(Side.wr(WrOpcode.SEND, i, b.sge(0, 64)));
                        awaitCompletions(b, 1);
                    }
                },
                null);
        a.recv(1, 0, 64);
        new Thread(echo).start();
        for (int i = 1; i <= 10 * ROUNDS; i++) {
            send(i);
            awaitCompletions(a, 2);
            if (i < 10 * ROUNDS) {
                a.recv(i + 1, 0, 64);
            }
        }
        echo.get();
    }

    private static void awaitCompletions(Side side, int count) {
        WorkCompletion[] wc = {new WorkCompletion()};
        int got = 0;
        while (got < count) {
            assertThat(side.cq.reqNotify(false)).isZero();
            if (side.cq.poll(1, wc) == 0) {
                assertThat(side.channel.getEvent()).isSameAs(side.cq);
                side.cq.ackEvents(1);
            } else {
                assertThat(wc[0].status()).isEqualTo(WcStatus.SUCCESS);
                got++;
            }
        }
    }
}
