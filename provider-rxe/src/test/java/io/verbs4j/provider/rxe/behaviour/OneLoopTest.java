/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionChannel;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.EventLoop;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.testsupport.Patience;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program with one loop, for completions and for its own tasks. */
@Timeout(Patience.TEST_SECONDS)
class OneLoopTest {
    private final Side a = new Side(Verbs.devices().get(0), TwoSides.BYTES);

    private int tasks;

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
    void wakeupEndsWaitForCompletions() throws InterruptedException {
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
    void parkedLoopIsNotifiedOfEachCompletion() {
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
    @EnabledOnOs(OS.LINUX)
    void loopThatPollsDescriptorsSeesEachEvent() {
        try (EventLoop loop = new EventLoop()) {
            int completions = a.channel.descriptor();
            int others = a.context.asyncEventDescriptor();
            for (int i = 1; i <= 20; i++) {
                assertThat(loop.isReadable(completions)).isFalse();
                assertThat(a.cq.reqNotify(false)).isZero();
                write(i);
                assertThat(loop.awaitReadable(completions)).isTrue();
                assertThat(a.channel.getEvent(0, TimeUnit.DAYS)).isSameAs(a.cq);
                a.next(i, WcStatus.SUCCESS);
            }
            assertThat(loop.isReadable(others)).isFalse();
            a.post(Side.wr(WrOpcode.RDMA_WRITE, 21, a.sge(0, 100))
                    .remoteAddr(a.mr.addr() + 200)
                    .rkey(a.mr.rkey() + 1));
            assertThat(loop.awaitReadable(others)).isTrue();
            assertThat(a.context.getAsyncEvent(0, TimeUnit.DAYS).element()).isSameAs(a.qp);
            assertThat(loop.isReadable(others)).isFalse();
            assertThat(a.context.asyncEventDescriptor()).isEqualTo(others).isNotEqualTo(completions);
        }
    }

    @Test
    void noDescriptorWithoutSystemCalls() {
        LinkOptions options = LinkOptions.defaults().withKind(LinkOptions.Kind.NIO);
        try (TestContext context = TestContext.open(options);
                CompletionChannel channel = context.createCompChannel()) {
            assertThat(channel.descriptor()).isEqualTo(-1);
            assertThat(context.asyncEventDescriptor()).isEqualTo(-1);
        }
    }

    @Test
    @SuppressWarnings("try") // the test is about closing early
    void closedChannelIgnoresWakeup() {
        try (var channel = a.context.createCompChannel()) {
            channel.close();
            channel.wakeup();
            assertThatThrownBy(() -> channel.onEvent(() -> {}))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
        }
    }

    /**
     * Three clients come, talk and go; this thread adds tasks. The loop sleeps whenever it is idle: each turn handles
     * something that has happened.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneThreadServesCompletionsConnectionsAndTasks(boolean parks) throws Exception {
        int messages = 50;
        int clients = 3;
        Device other = Verbs.devices().get(1);
        try (Side client = new Side(other, 4096).create();
                Context context = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT);
                EchoLoop loop = new EchoLoop(context, parks)) {
            List<CmConnection> connections = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                connections.add(client.opened(connected(client, context, loop.port())));
            }
            while (asked(loop, () -> loop.connections.size()) < clients) {
                Thread.sleep(1); // the last client's message that it is established is on its way
            }
            for (int i = 0; i < messages; i++) {
                for (CmConnection connection : connections) {
                    say(client, connection.queuePair(), i);
                }
                assertThat(asked(loop, Thread::currentThread)).isSameAs(loop.thread);
            }
            for (CmConnection connection : connections) {
                connection.close();
            }
            while (asked(loop, () -> loop.disconnects) < clients) {
                Thread.sleep(1);
            }
            assertThat(asked(loop, () -> loop.connections.size())).isZero();
            int asked = tasks;
            // A message has two completions, a client some connection events, and its end two.
            assertThat(asked(loop, () -> loop.turns)).isBetween(messages, 2 * (asked + clients * (2 * messages + 20)));
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("verbs4j-events of"));
        }
    }

    private <T> T asked(EchoLoop loop, Supplier<T> question) throws Exception {
        tasks++;
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> answer.complete(question.get()));
        return answer.get(Patience.SECONDS, TimeUnit.SECONDS);
    }

    private static CmConnection connected(Side client, Context at, int port) {
        QpInitAttr attr = new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(client.cq)
                .recvCq(client.cq)
                .cap(new QpCap().maxSendWr(4).maxRecvWr(4).maxSendSge(1).maxRecvSge(1));
        InetSocketAddress address = new InetSocketAddress(at.queryGid(1, 0).toInetAddress(), port);
        return CmConnection.connect(client.pd, address, attr, Patience.SECONDS, TimeUnit.SECONDS);
    }

    /** Sends a byte, and receives it plus one. */
    private static void say(Side client, QueuePair qp, int value) {
        client.buffer.put(0, (byte) value);
        assertThat(qp.postRecv(new RecvWorkRequest().wrId(2).sgList(client.sge(100, 1))))
                .isZero();
        assertThat(qp.postSend(Side.wr(WrOpcode.SEND, 1, client.sge(0, 1)))).isZero();
        for (long both = 0; both < 3; ) {
            WorkCompletion wc = client.next();
            assertThat(WcStatus.toString(wc.status())).isEqualTo(WcStatus.toString(WcStatus.SUCCESS));
            both += wc.wrId();
        }
        assertThat(client.buffer.get(100)).isEqualTo((byte) (value + 1));
    }
}
