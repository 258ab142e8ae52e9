/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A single-threaded server that accepts connections, echoes bytes plus one, runs tasks of other threads and closes
 * ended connections. It either sleeps in its completion channel or parks.
 */
final class EchoLoop implements AutoCloseable {
    private static final int SLOT = 64;
    private static final int MESSAGES = 20;
    private static final long PATIENCE = 60;

    private final boolean parks;
    private final ProtectionDomain pd;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(4096);
    private final MemoryRegion mr;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final CmListener listener;
    private final QpInitAttr attr;
    private final Consumer<QueuePair> prepare = this::prepare;
    private final WorkCompletion[] wc = {new WorkCompletion()};

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean signal = new AtomicBoolean();
    private final Thread thread = new Thread(this::run, "echo loop");
    private volatile Throwable failure;

    // Used only by the loop.
    private final Map<Integer, CmConnection> connections = new HashMap<>();
    private final Map<Integer, Integer> slots = new HashMap<>();
    private final Map<Integer, QueuePair> prepared = new HashMap<>();
    private boolean stopped;
    private int disconnects;
    private int turns;

    private int asked;

    private EchoLoop(Context context, InetSocketAddress address, boolean parks) {
        this.parks = parks;
        pd = context.allocPd();
        mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE);
        channel = context.createCompChannel();
        cq = context.createCq(256, this, channel, 0);
        attr = new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(4).maxRecvWr(4).maxSendSge(1).maxRecvSge(1));
        listener = CmListener.listen(context, address, 16);
        if (parks) {
            channel.onEvent(this::wake);
        }
        listener.onEvent(this::wake);
        accept(); // from here on its parameters are known, and no call waits for a peer
        thread.setDaemon(true);
        thread.start();
    }

    /** Lets clients connect, exchange messages one at a time and leave, while this thread adds tasks. */
    static void serves(CmParty server, InetSocketAddress address, CmParty client, int clients, boolean parks)
            throws Exception {
        List<CmConnection> connections = new ArrayList<>();
        try (EchoLoop loop = new EchoLoop(server.context, address, parks)) {
            for (int i = 0; i < clients; i++) {
                connections.add(CmConnection.connect(
                        client.pd, loop.listener.address(), client.attr(), PATIENCE, TimeUnit.SECONDS));
            }
            while (loop.ask(loop.connections::size) < clients) {
                Thread.sleep(1); // the last client's first message is on its way
            }
            for (int i = 0; i < MESSAGES; i++) {
                for (CmConnection connection : connections) {
                    client.receive(connection.queuePair());
                    client.send(connection.queuePair(), i);
                    client.completed(1, 2);
                    assertThat(client.memory.get(CmParty.RECEIVED)).isEqualTo((byte) (i + 1));
                }
                assertThat(loop.ask(Thread::currentThread)).isSameAs(loop.thread);
            }
            connections.forEach(CmConnection::close);
            while (loop.ask(() -> loop.disconnects) < clients) {
                Thread.sleep(1);
            }
            // A message has two completions, a client some events of its connection, and its end two.
            assertThat(loop.ask(() -> loop.turns))
                    .isBetween(MESSAGES, 2 * (loop.asked + clients * (2 * MESSAGES + 20)));
        } finally {
            connections.forEach(CmConnection::close);
        }
    }

    private <T> T ask(Supplier<T> question) throws Exception {
        asked++;
        CompletableFuture<T> answer = new CompletableFuture<>();
        execute(() -> answer.complete(question.get()));
        return answer.get(PATIENCE, TimeUnit.SECONDS);
    }

    /** Lets the loop run a task. */
    private void execute(Runnable task) {
        tasks.add(task);
        wake();
    }

    private void wake() {
        if (parks) {
            signal.set(true);
            LockSupport.unpark(thread);
        } else {
            channel.wakeup();
        }
    }

    private void run() {
        try {
            turn();
            while (!stopped) {
                sleep();
                turns++;
                turn();
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void turn() {
        accept();
        complete();
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void sleep() {
        if (parks) {
            while (!signal.getAndSet(false)) {
                LockSupport.park(this);
            }
        } else {
            channel.getEvent();
        }
    }

    private void accept() {
        CmConnection one;
        while ((one = listener.accept(pd, attr, ConnParam.DEFAULT, prepare, 0, TimeUnit.SECONDS)) != null) {
            CmConnection connection = one;
            connections.put(connection.queuePair().qpNum(), connection);
            connection.onDisconnected(() -> execute(() -> ended(connection)));
        }
    }

    private void prepare(QueuePair qp) {
        prepared.put(qp.qpNum(), qp);
        slots.put(qp.qpNum(), slots.size());
        receive(qp);
    }

    private void ended(CmConnection connection) {
        connection.close();
        connections.values().remove(connection);
        disconnects++;
    }

    private void complete() {
        while (channel.getEvent(0, TimeUnit.SECONDS) != null) {
            // polled below
        }
        assertThat(cq.reqNotify(false)).isZero();
        while (cq.poll(1, wc) == 1) {
            if (wc[0].status() != WcStatus.SUCCESS) {
                assertThat(WcStatus.toString(wc[0].status())).isEqualTo(WcStatus.toString(WcStatus.WR_FLUSH_ERR));
            } else if (wc[0].wrId() == 2) {
                echo(prepared.get(wc[0].qpNum()));
            }
        }
    }

    private ScatterGatherElement slot(QueuePair qp) {
        return ScatterGatherElement.of(mr, (long) slots.get(qp.qpNum()) * SLOT, 1);
    }

    private void receive(QueuePair qp) {
        assertThat(qp.postRecv(new RecvWorkRequest().wrId(2).sgList(slot(qp)))).isZero();
    }

    private void echo(QueuePair qp) {
        int at = slots.get(qp.qpNum()) * SLOT;
        memory.put(at + 1, (byte) (memory.get(at) + 1));
        receive(qp);
        assertThat(qp.postSend(new SendWorkRequest()
                        .wrId(1)
                        .opcode(WrOpcode.SEND)
                        .sendFlags(SendFlags.SIGNALED)
                        .sgList(ScatterGatherElement.of(mr, at + 1, 1))))
                .isZero();
    }

    @Override
    public void close() {
        execute(() -> stopped = true);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the loop must end all the same
        }
        assertThat(thread.isAlive()).as("the loop ends").isFalse();
        listener.close();
        connections.values().forEach(CmConnection::close);
        cq.close();
        channel.close();
        mr.close();
        pd.close();
        if (failure != null) {
            throw new AssertionError("the loop has failed", failure);
        }
    }
}
