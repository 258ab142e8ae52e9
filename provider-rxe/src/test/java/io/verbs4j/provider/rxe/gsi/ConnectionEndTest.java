/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.DevicePorts;
import io.verbs4j.testsupport.OwnThreads;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections end if both sides are in this process: within a device, and between two by packets. */
class ConnectionEndTest {
    private static final long PATIENCE = 60;

    private final List<AutoCloseable> open = new ArrayList<>();
    private Party server;
    private Party client;
    private CmListener listener;
    private CmConnection here;
    private CmConnection there;

    private Party party(int device) {
        Party party = new Party(Verbs.open(
                Verbs.devices().stream()
                        .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                        .toList()
                        .get(device),
                VerbsLevel.CURRENT));
        open.add(0, party);
        return party;
    }

    private void listen(int device) {
        server = party(device);
        client = party(0);
        listener = CmListener.listen(server.context, new InetSocketAddress(0), 16);
        open.add(0, listener);
    }

    private CompletableFuture<CmConnection> accepted(Consumer<QueuePair> prepare) {
        return OwnThreads.supply(() ->
                listener.accept(server.pd, server.attr(), ConnParam.DEFAULT, prepare, PATIENCE, TimeUnit.SECONDS));
    }

    private CmConnection connected(Consumer<QueuePair> prepare) {
        InetSocketAddress address = new InetSocketAddress(
                server.context.queryGid(1, 0).toInetAddress(),
                listener.address().getPort());
        return CmConnection.connect(
                client.pd, address, client.attr(), ConnParam.DEFAULT, prepare, PATIENCE, TimeUnit.SECONDS);
    }

    private void connect(Consumer<QueuePair> atServer, Consumer<QueuePair> atClient) throws Exception {
        CompletableFuture<CmConnection> coming = accepted(atServer);
        here = connected(atClient);
        open.add(0, here.drainTime(0, TimeUnit.SECONDS));
        there = coming.get(PATIENCE, TimeUnit.SECONDS);
        open.add(0, there.drainTime(0, TimeUnit.SECONDS));
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        assertThat(DevicePorts.of(client.context.device()).queuePairCount()).isZero();
    }

    private static void nothing(QueuePair qp) {
        // no receive: sends wait
    }

    /** Posts an unsignaled send. */
    private static void post(Party from, QueuePair qp) {
        int errno =
                qp.postSend(new SendWorkRequest().opcode(WrOpcode.SEND).sgList(ScatterGatherElement.of(from.mr, 0, 1)));
        assertThat(errno).isZero();
    }

    private static int errnoOf(Throwable e) {
        assertThat(e).isInstanceOf(VerbsException.class);
        return ((VerbsException) e).errno();
    }

    private static Throwable thrownBy(CmConnection closed) {
        try {
            closed.close();
            return null;
        } catch (VerbsException e) {
            return e;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void closeByPeerFlushesReceives(int device) throws Exception {
        listen(device);
        connect(server::receive, client::receive);
        there.close();
        assertThat(WcStatus.toString(client.nextStatus())).isEqualTo(WcStatus.toString(WcStatus.WR_FLUSH_ERR));
        assertThat(here.queuePair().query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.ERR);
        assertThat(here.awaitDisconnected(PATIENCE, TimeUnit.SECONDS)).isTrue();
        assertThat(here.awaitDisconnected(0, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void closeAllowsPollingLastCompletions(int device) throws Exception {
        listen(device);
        connect(server::receive, client::receive);
        List<String> seen = new ArrayList<>();
        here.beforeDestroy(() -> seen.add(WcStatus.toString(client.nextStatus())));
        here.close();
        here.close();
        assertThat(seen).containsExactly(WcStatus.toString(WcStatus.WR_FLUSH_ERR));
        assertThat(there.awaitDisconnected(PATIENCE, TimeUnit.SECONDS)).isTrue();
        there.beforeDestroy(() -> {
            seen.add(WcStatus.toString(server.nextStatus()));
            throw new IllegalStateException("action failed");
        });
        assertThatThrownBy(there::close).hasMessage("action failed");
        assertThat(seen).hasSize(2);
    }

    @Test
    void severalThreadsMayAwaitEnd() throws Exception {
        listen(0);
        connect(server::receive, client::receive);
        List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(ended(here));
        }
        CompletableFuture<Boolean> ofTheOther = ended(there);
        assertThat(here.awaitDisconnected(0, TimeUnit.SECONDS)).isFalse();
        there.close(); // while a thread waits in it
        for (CompletableFuture<Boolean> one : waiting) {
            assertThat(one.get(PATIENCE, TimeUnit.SECONDS)).isTrue();
        }
        assertThatThrownBy(() -> ofTheOther.get(PATIENCE, TimeUnit.SECONDS))
                .cause()
                .satisfies(e -> assertThat(errnoOf(e)).isEqualTo(Errno.EBADF));
    }

    /** Also if the peer closed before the connection was accepted. */
    @Test
    void immediateCloseByPeerIsSeen() throws Exception {
        listen(1);
        for (int i = 0; i < 30; i++) {
            CompletableFuture<CmConnection> coming = accepted(server::receive);
            connected(ConnectionEndTest::nothing).close();
            try (CmConnection taken = coming.get(PATIENCE, TimeUnit.SECONDS)) {
                assertThat(taken.awaitDisconnected(PATIENCE, TimeUnit.SECONDS)).isTrue();
                assertThat(server.nextStatus()).isEqualTo(WcStatus.WR_FLUSH_ERR);
            }
        }
    }

    private static CompletableFuture<Boolean> ended(CmConnection connection) {
        return OwnThreads.supply(() -> connection.awaitDisconnected(PATIENCE, TimeUnit.SECONDS));
    }

    /** Posted sends arrive, whoever polls: here the sender does not. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void closingLosesNoMessage(int device) throws Exception {
        listen(device);
        for (int size : new int[] {100, 100_000, 1 << 20, 16 << 20}) {
            try (Message sent = new Message(client.pd, size);
                    Message received = new Message(server.pd, size)) {
                connect(received::receive, ConnectionEndTest::nothing);
                sent.fill(size);
                sent.send(here.queuePair());
                here.drainTime(PATIENCE, TimeUnit.SECONDS).close();
                server.completed(Message.RECEIVED);
                assertThat(received.isFilled(size)).as("%d bytes", size).isTrue();
                there.close();
            }
        }
    }

    /** A message that waits for a receive is not lost silently. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void lostMessagesAreReported(int device) throws Exception {
        listen(device);
        connect(ConnectionEndTest::nothing, ConnectionEndTest::nothing);
        post(client, here.queuePair());
        post(client, here.queuePair());
        here.drainTime(50, TimeUnit.MILLISECONDS);
        assertThat(thrownBy(here))
                .satisfies(e -> assertThat(errnoOf(e)).isEqualTo(Errno.ETIMEDOUT))
                .hasMessageContaining("2 send requests of queue pair");
        here.close(); // it is closed
    }

    @Test
    void droppingWithoutDrainTimeIsSilent() throws Exception {
        listen(1);
        connect(ConnectionEndTest::nothing, ConnectionEndTest::nothing);
        post(client, here.queuePair());
        assertThat(thrownBy(here.drainTime(0, TimeUnit.SECONDS))).isNull();
    }

    @Test
    void disconnectByPeerEndsClosing() throws Exception {
        listen(1);
        connect(ConnectionEndTest::nothing, ConnectionEndTest::nothing);
        post(client, here.queuePair());
        here.drainTime(PATIENCE, TimeUnit.SECONDS);
        CompletableFuture<Throwable> closing = OwnThreads.supply(() -> thrownBy(here));
        CompletableFuture<Throwable> second = OwnThreads.supply(() -> thrownBy(here));
        assertThatThrownBy(() -> CompletableFuture.anyOf(closing, second).get(50, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        there.close();
        Throwable one = closing.get(PATIENCE, TimeUnit.SECONDS);
        Throwable other = second.get(PATIENCE, TimeUnit.SECONDS);
        assertThat(one == null ? other : one)
                .satisfies(e -> assertThat(errnoOf(e)).isEqualTo(Errno.ECONNRESET));
        assertThat(one == null || other == null).isTrue();
        assertThat(here.queuePair()).isNull();
    }

    @Test
    void interruptedCloseDropsMessages() throws Exception {
        listen(1);
        connect(ConnectionEndTest::nothing, ConnectionEndTest::nothing);
        post(client, here.queuePair());
        Thread.currentThread().interrupt();
        Throwable thrown = thrownBy(here.drainTime(PATIENCE, TimeUnit.SECONDS));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(errnoOf(thrown)).isEqualTo(Errno.EINTR);
    }

    /** A queue pair that failed earlier reports that by its completions. */
    @Test
    void closingAfterErrorDoesNotWait() throws Exception {
        listen(1);
        connect(ConnectionEndTest::nothing, ConnectionEndTest::nothing);
        post(client, here.queuePair());
        here.id().disconnect();
        assertThat(thrownBy(here.drainTime(PATIENCE, TimeUnit.SECONDS))).isNull();
    }

    @Test
    void queuePairClosedInPrepareLeavesNothing() throws Exception {
        listen(1);
        CompletableFuture<CmConnection> refusing = accepted(QueuePair::close);
        assertThatThrownBy(() -> connected(ConnectionEndTest::nothing)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> refusing.get(PATIENCE, TimeUnit.SECONDS)).hasCauseInstanceOf(VerbsException.class);
        CompletableFuture<CmConnection> skipping = accepted(ConnectionEndTest::nothing);
        assertThatThrownBy(() -> connected(QueuePair::close)).isInstanceOf(VerbsException.class);
        assertThat(skipping).isNotCompleted();
        // A duplicate request may have started another handshake, which ends before its queues are closed.
        listener.close();
        assertThatThrownBy(() -> skipping.get(PATIENCE, TimeUnit.SECONDS)).hasCauseInstanceOf(VerbsException.class);
    }

    /**
     * A last message and its reply, repeatedly: one side closes once it has the reply, the other once it has replied.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void lastMessagesArrive(int device) throws Exception {
        listen(device);
        for (int i = 0; i < 30; i++) {
            connect(server::receive, client::receive);
            here.drainTime(PATIENCE, TimeUnit.SECONDS);
            there.drainTime(PATIENCE, TimeUnit.SECONDS);
            post(client, here.queuePair());
            server.completed(2);
            post(server, there.queuePair());
            there.close();
            client.completed(2);
            here.close();
        }
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("verbs4j-cm-end")))
                .hasSizeLessThan(2);
    }
}
