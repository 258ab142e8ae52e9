/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program with one loop, for completions and for tasks of its own. */
@Timeout(Patience.TEST_SECONDS)
class OneLoopTest {
    private final Side a = new Side(Verbs.devices().get(0), TwoSides.BYTES);

    @BeforeEach
    void connect() {
        a.withChannel = true;
        a.create();
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

    @Test
    void taskEndsWaitForCompletions() throws InterruptedException {
        AtomicInteger tasks = new AtomicInteger();
        Thread other = new Thread(() -> {
            tasks.set(1);
            a.channel.wakeup();
        });
        other.start();
        assertThat(a.channel.getEvent(1, TimeUnit.DAYS)).isNull();
        assertThat(tasks).hasValue(1);
        a.channel.wakeup();
        assertThat(a.channel.getEvent(0, TimeUnit.DAYS)).isNull();
        assertThat(a.channel.getEvent()).as("the next wait").isNull();
        other.join();

        assertThat(a.cq.reqNotify(false)).isZero();
        write(1);
        assertThat(a.channel.getEvent()).isSameAs(a.cq);
        a.next(1, WcStatus.SUCCESS);
    }

    @Test
    void parkedLoopIsToldOfEachCompletion() {
        Thread loop = Thread.currentThread();
        AtomicInteger told = new AtomicInteger();
        a.channel.onEvent(() -> {
            told.incrementAndGet();
            LockSupport.unpark(loop);
        });
        for (int i = 1; i <= 100; i++) {
            assertThat(a.cq.reqNotify(false)).isZero();
            write(i);
            while (told.get() < i) {
                LockSupport.park(this);
            }
            assertThat(a.channel.getEvent(0, TimeUnit.DAYS)).isSameAs(a.cq);
            assertThat(a.channel.getEvent(0, TimeUnit.DAYS)).isNull();
            a.next(i, WcStatus.SUCCESS);
        }
        a.channel.onEvent(null);
        assertThat(a.cq.reqNotify(false)).isZero();
        write(101);
        assertThat(a.channel.getEvent()).isSameAs(a.cq);
        assertThat(told).hasValue(100);
        a.next(101, WcStatus.SUCCESS);
    }

    @Test
    void closedChannelIsNotWoken() {
        try (var channel = a.context.createCompChannel()) {
            channel.close();
            channel.wakeup();
            assertThatThrownBy(() -> channel.onEvent(() -> {}))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
        }
    }
}
