/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Device;
import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.EventSubscription;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.CmRequest;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.core.Verbs;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Event channels and listeners in programs whose threads wait elsewhere. */
@Timeout(120)
class ListenerLoopTest {
    private static final long PATIENCE = 60;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<AutoCloseable> open = new ArrayList<>();
    private Party server;
    private Party client;
    private CmListener listener;
    private InetSocketAddress address;

    private <T extends AutoCloseable> T opened(T object) {
        open.add(0, object);
        return object;
    }

    private static Party party(int index) {
        List<Device> embedded = Verbs.devices().stream()
                .filter(device -> device.kind() == DeviceKind.EMBEDDED)
                .toList();
        return new Party(Verbs.open(embedded.get(index), VerbsLevel.CURRENT));
    }

    @BeforeEach
    void begin() {
        server = opened(party(1));
        client = opened(party(0));
        listener = opened(CmListener.listen(server.context, new InetSocketAddress(0), 64));
        address = new InetSocketAddress(
                server.context.queryGid(1, 0).toInetAddress(),
                listener.address().getPort());
    }

    @AfterEach
    void end() throws Exception {
        threads.shutdownNow();
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    private CompletableFuture<CmConnection> connecting() {
        return CmConnection.connectAsync(
                client.pd, address, client.attr(), ConnParam.DEFAULT, qp -> {}, PATIENCE, TimeUnit.SECONDS, threads);
    }

    private CmConnection accept(long seconds) {
        return listener.accept(server.pd, server.attr(), ConnParam.DEFAULT, qp -> {}, seconds, TimeUnit.SECONDS);
    }

    private static void awaitRun(Semaphore runs) throws InterruptedException {
        assertThat(runs.tryAcquire(PATIENCE, TimeUnit.SECONDS)).as("action ran").isTrue();
        runs.drainPermits();
    }

    private static void isClosed(Throwable e) {
        assertThat(e).isInstanceOf(VerbsException.class);
        assertThat(((VerbsException) e).errno()).isEqualTo(Errno.EBADF);
    }

    @Test
    void wakeupEndsWaitsForPeers() throws Exception {
        listener.wakeup();
        assertThat(listener.take(0, TimeUnit.SECONDS)).isNull();
        assertThat(listener.take(PATIENCE, TimeUnit.DAYS)).isNull();
        assertThat(accept(0)).as("accept without a peer").isNull();
        for (int i = 0; i < 20; i++) {
            List<CompletableFuture<?>> waiting = List.of(
                    CompletableFuture.supplyAsync(() -> listener.take(1, TimeUnit.DAYS), threads),
                    CompletableFuture.supplyAsync(() -> accept(100_000), threads));
            listener.wakeup();
            CompletableFuture.anyOf(waiting.get(0), waiting.get(1)).get(PATIENCE, TimeUnit.SECONDS);
            listener.wakeup(); // one of them leads and the other follows
            for (CompletableFuture<?> one : waiting) {
                assertThat(one.get(PATIENCE, TimeUnit.SECONDS)).isNull();
            }
        }
        CompletableFuture<CmConnection> coming = connecting();
        CmConnection there = opened(accept(PATIENCE));
        assertThat(there).as("accepted connection").isNotNull();
        opened(coming.get(PATIENCE, TimeUnit.SECONDS));
    }

    /**
     * Ten peers, some of which request a connection before the loop looks; it is notified until all have been accepted.
     */
    @Test
    void notifiedLoopAcceptsAllPeers() throws Exception {
        Semaphore runs = new Semaphore(0);
        assertThat(accept(0)).isNull();
        List<CompletableFuture<CmConnection>> coming = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            coming.add(connecting());
        }
        listener.onEvent(runs::release);
        for (int i = 0; i < 5; i++) {
            coming.add(connecting());
        }
        List<CmConnection> there = new ArrayList<>();
        while (there.size() < coming.size()) {
            awaitRun(runs);
            CmConnection one;
            while ((one = accept(0)) != null) {
                there.add(opened(one.drainTime(0, TimeUnit.SECONDS)));
            }
        }
        for (CompletableFuture<CmConnection> one : coming) {
            opened(one.get(PATIENCE, TimeUnit.SECONDS).drainTime(0, TimeUnit.SECONDS));
        }
    }

    /** A call may return before it has looked at all requests. */
    @Test
    void remainingRequestsRunActionAgain() throws Exception {
        Semaphore runs = new Semaphore(0);
        assertThat(accept(0)).isNull();
        listener.onEvent(runs::release);
        try (EventChannel channel = EventChannel.create()) {
            for (int i = 0; i < 3; i++) {
                asking(channel); // and never confirms
                awaitRun(runs);
            }
            for (int i = 0; i < 2; i++) {
                assertThat(accept(0)).isNull();
                awaitRun(runs);
            }
            assertThat(accept(0)).isNull();
            assertThat(runs.availablePermits()).isZero();
        }
    }

    private CmId asking(EventChannel channel) {
        CmId id = channel.createId(client.context, PortSpace.TCP);
        id.resolveAddress(null, address, 1000, TimeUnit.MILLISECONDS);
        assertThat(channel.getEvent(PATIENCE, TimeUnit.SECONDS).type()).isEqualTo(CmEventType.ADDR_RESOLVED);
        id.resolveRoute(1000, TimeUnit.MILLISECONDS);
        assertThat(channel.getEvent(PATIENCE, TimeUnit.SECONDS).type()).isEqualTo(CmEventType.ROUTE_RESOLVED);
        id.createQp(client.pd, client.attr());
        id.connect(ConnParam.DEFAULT);
        return id;
    }

    /** A thread that waits for requests receives those of another call. */
    @Test
    void requestReceivedByOtherThreadRunsAction() throws Exception {
        Semaphore runs = new Semaphore(0);
        assertThat(accept(0)).isNull();
        listener.onEvent(runs::release);
        CompletableFuture<CmConnection> coming = connecting();
        awaitRun(runs);
        CmConnection there = accept(0);
        CompletableFuture<CmRequest> leading =
                CompletableFuture.supplyAsync(() -> listener.take(1, TimeUnit.DAYS), threads);
        while (there == null) {
            awaitRun(runs);
            there = accept(0);
        }
        opened(there);
        opened(coming.get(PATIENCE, TimeUnit.SECONDS));
        assertThat(leading).isNotDone();
        listener.wakeup();
        assertThat(leading.get(PATIENCE, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void executorHandlesRequests() throws Exception {
        CompletableFuture<CmConnection> accepted = new CompletableFuture<>();
        EventSubscription subscription =
                listener.subscribe(threads, request -> accepted.complete(request.accept(server.pd, server.attr())));
        listener.wakeup(); // and continues
        CmConnection here = opened(connecting().get(PATIENCE, TimeUnit.SECONDS));
        CmConnection there = opened(accepted.get(PATIENCE, TimeUnit.SECONDS));
        assertThat(there.id().peerAddress()).isEqualTo(here.id().localAddress());
        listener.close();
        subscription.ended().toCompletableFuture().get(PATIENCE, TimeUnit.SECONDS);
        listener.wakeup();
        assertThatThrownBy(() -> listener.onEvent(() -> {})).satisfies(ListenerLoopTest::isClosed);
    }

    @Test
    void channelRunsActionAndReturnsEvents() throws Exception {
        Semaphore runs = new Semaphore(0);
        EventChannel channel = opened(EventChannel.create());
        CmId id = channel.createId(client.context, PortSpace.TCP);
        id.resolveAddress(null, address, 1000, TimeUnit.MILLISECONDS);
        channel.onEvent(runs::release);
        awaitRun(runs); // also if the event was there before
        channel.wakeup();
        assertThat(channel.getEvent().type()).as("event before the wake-up").isEqualTo(CmEventType.ADDR_RESOLVED);
        assertThat(channel.getEvent()).as("result of the wake-up").isNull();
        channel.onEvent(() -> {
            runs.release();
            throw new IllegalStateException("action failed");
        });
        id.resolveRoute(1000, TimeUnit.MILLISECONDS);
        awaitRun(runs);
        assertThat(channel.getEvent(0, TimeUnit.SECONDS).type()).isEqualTo(CmEventType.ROUTE_RESOLVED);
        channel.onEvent(null);
        id.createQp(client.pd, client.attr());
        CompletableFuture<CmConnection> accepted = CompletableFuture.supplyAsync(() -> accept(PATIENCE), threads);
        id.connect(ConnParam.DEFAULT);
        CompletableFuture<Integer> type = new CompletableFuture<>();
        EventSubscription subscription = channel.subscribe(threads, event -> type.complete(event.type()));
        assertThat(type.get(PATIENCE, TimeUnit.SECONDS)).isEqualTo(CmEventType.ESTABLISHED);
        assertThat(runs.availablePermits()).isZero();
        opened(accepted.get(PATIENCE, TimeUnit.SECONDS));
        channel.close();
        subscription.ended().toCompletableFuture().get(PATIENCE, TimeUnit.SECONDS);
    }

    @Test
    void endOfConnectionRunsItsActionOnce() throws Exception {
        CompletableFuture<CmConnection> coming = connecting();
        CmConnection there = opened(accept(PATIENCE));
        CmConnection here = opened(coming.get(PATIENCE, TimeUnit.SECONDS));
        Semaphore runs = new Semaphore(0);
        Semaphore ofOurClose = new Semaphore(0);
        there.onDisconnected(ofOurClose::release);
        here.onDisconnected(() -> {
            throw new IllegalStateException("replaced");
        });
        here.onDisconnected(runs::release);
        there.close();
        awaitRun(runs);
        assertThat(here.awaitDisconnected(0, TimeUnit.SECONDS)).isTrue();
        here.onDisconnected(runs::release);
        assertThat(runs.availablePermits())
                .as("runs after the connection ended")
                .isEqualTo(1);
        assertThat(ofOurClose.availablePermits())
                .as("runs after closing this side")
                .isZero();
    }
}
