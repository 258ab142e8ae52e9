/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.CmOption;
import io.verbs4j.cm.CmOptions;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Full;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners with peers that are slow, silent or gone. */
class AcceptTest {
    private static final long PATIENCE = 60;
    private static final long NOT_REACHED = 5_000; // milliseconds, far longer than the handshake of a live peer

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<EventChannel> channels = new ArrayList<>();
    private Party server;
    private Party client;
    private CmListener listener;
    private InetSocketAddress address;

    private static Party party(int index) {
        List<Device> embedded = Verbs.devices().stream()
                .filter(device -> device.kind() == DeviceKind.EMBEDDED)
                .toList();
        return new Party(Verbs.open(embedded.get(index), VerbsLevel.CURRENT));
    }

    @BeforeEach
    void begin() {
        server = party(1);
        client = party(0);
    }

    @AfterEach
    void end() {
        channels.forEach(EventChannel::close);
        if (listener != null) {
            listener.close();
        }
        threads.shutdownNow();
        client.close();
        server.close();
    }

    private void listen(CmOptions options) {
        listener = CmListener.listen(server.context, new InetSocketAddress(0), 64, options);
        Context at = server.context;
        address = new InetSocketAddress(
                at.queryGid(1, 0).toInetAddress(), listener.address().getPort());
    }

    /** A client that requests a connection but takes no events, so it never confirms. */
    private CmId silent() {
        EventChannel channel = EventChannel.create();
        channels.add(channel);
        CmId id = channel.createId(client.context, PortSpace.TCP);
        id.resolveAddress(null, address, 1000, TimeUnit.MILLISECONDS);
        assertThat(channel.getEvent(PATIENCE, TimeUnit.SECONDS).type()).isEqualTo(CmEventType.ADDR_RESOLVED);
        id.resolveRoute(1000, TimeUnit.MILLISECONDS);
        assertThat(channel.getEvent(PATIENCE, TimeUnit.SECONDS).type()).isEqualTo(CmEventType.ROUTE_RESOLVED);
        id.createQp(client.pd, client.attr());
        id.connect(ConnParam.DEFAULT);
        return id;
    }

    private CmConnection connect(CmOptions options) {
        return CmConnection.connect(
                client.pd, address, client.attr(), ConnParam.DEFAULT, options, qp -> {}, PATIENCE, TimeUnit.SECONDS);
    }

    private Future<CmConnection> connecting() {
        return threads.submit(() -> connect(CmOptions.DEFAULT));
    }

    private interface Accepts {
        CmConnection accept(long millis);
    }

    /** Either the same call each time, or one with its own queue, whose handshakes end with the call. */
    private Accepts accepts(boolean shared) {
        QpInitAttr attr = server.attr();
        Consumer<QueuePair> prepare = qp -> {};
        return millis -> shared
                ? listener.accept(server.pd, attr, ConnParam.DEFAULT, prepare, millis, TimeUnit.MILLISECONDS)
                : listener.accept(
                        server.pd, server.attr(), ConnParam.DEFAULT, server::receive, millis, TimeUnit.MILLISECONDS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Full
    void silentClientsDelayNobody(boolean shared) throws Exception {
        listen(CmOptions.DEFAULT.withHandshakeTimeout(PATIENCE, TimeUnit.SECONDS));
        Accepts accepts = accepts(shared);
        if (shared) {
            assertThat(accepts.accept(0)).isNull();
        }
        for (int i = 0; i < 3; i++) {
            silent();
            Future<CmConnection> coming = connecting();
            try (CmConnection there = accepts.accept(TimeUnit.SECONDS.toMillis(PATIENCE));
                    CmConnection here = coming.get(NOT_REACHED, TimeUnit.MILLISECONDS)) {
                assertThat(there).isNotNull();
                assertThat(here.queuePair().qpNum()).isEqualTo(there.peer().qpNum());
            }
        }
    }

    /** A server that checks a flag now and then. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shortWaitsServeEveryClient(boolean shared) throws Exception {
        listen(CmOptions.DEFAULT.withHandshakeTimeout(PATIENCE, TimeUnit.SECONDS));
        int clients = 24;
        List<CmConnection> accepted = new ArrayList<>();
        Accepts accepts = accepts(shared);
        Future<?> loop = threads.submit(() -> {
            while (accepted.size() < clients) {
                CmConnection connection = accepts.accept(1);
                if (connection != null) {
                    accepted.add(connection);
                }
            }
            return null;
        });
        List<Future<CmConnection>> coming = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            coming.add(connecting());
        }
        List<CmConnection> connected = new ArrayList<>();
        for (Future<CmConnection> one : coming) {
            connected.add(one.get(PATIENCE, TimeUnit.SECONDS));
        }
        loop.get(PATIENCE, TimeUnit.SECONDS);
        assertThat(accepts.accept(1)).isNull();
        for (CmConnection one : connected) { // a server that had given up would have notified it
            assertThat(one.awaitDisconnected(0, TimeUnit.SECONDS)).isFalse();
        }
        connected.forEach(CmConnection::close);
        accepted.forEach(CmConnection::close);
    }

    @Test
    void silentClientIsGivenUpAndNotified() throws Exception {
        listen(CmOptions.DEFAULT.withHandshakeTimeout(50, TimeUnit.MILLISECONDS));
        CmId id = silent();
        assertThat(listener.accept(server.pd, server.attr(), 100, TimeUnit.MILLISECONDS))
                .isNull();
        CmEvent told = id.channel().getEvent(PATIENCE, TimeUnit.SECONDS);
        // It now takes its events: it has a reply, which is void by then.
        if (told.type() == CmEventType.ESTABLISHED) {
            told = id.channel().getEvent(PATIENCE, TimeUnit.SECONDS);
        }
        assertThat(told.type()).isIn(CmEventType.REJECTED, CmEventType.CONNECT_ERROR, CmEventType.DISCONNECTED);
    }

    @Test
    void clientThatHasGivenUpIsSkipped() throws Exception {
        listen(CmOptions.DEFAULT);
        silent().close();
        assertThat(listener.accept(server.pd, server.attr(), 100, TimeUnit.MILLISECONDS))
                .isNull();
        try (EventChannel channel = EventChannel.create()) {
            CmId listening = channel.createId(server.context, PortSpace.TCP);
            listening.listen(4);
            address = new InetSocketAddress(
                    address.getAddress(), listening.localAddress().getPort());
            CmId id = silent();
            CmEvent request = channel.getEvent(PATIENCE, TimeUnit.SECONDS);
            id.close();
            assertThat(channel.getEvent(PATIENCE, TimeUnit.SECONDS).type()).isEqualTo(CmEventType.REJECTED);
            assertThatThrownBy(() -> request.id().accept(ConnParam.DEFAULT))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ECONNABORTED))
                    .hasMessageStartingWith("accept: ");
        }
    }

    @Test
    void acceptAfterCloseFails() throws Exception {
        listen(CmOptions.DEFAULT);
        List<Future<CmConnection>> waiting = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            waiting.add(threads.submit(() -> listener.accept(server.pd, server.attr(), PATIENCE, TimeUnit.SECONDS)));
        }
        listener.close();
        for (Future<CmConnection> one : waiting) {
            assertThatThrownBy(() -> one.get(PATIENCE, TimeUnit.SECONDS))
                    .hasMessageContaining("accept: EBADF: the listener is closed");
        }
    }

    /** Threads with different parameters get connections made with their own. */
    @Test
    void threadsGetConnectionsOfTheirParameters() throws Exception {
        listen(CmOptions.DEFAULT);
        int each = 5;
        List<Future<Boolean>> acceptors = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            QpInitAttr attr = server.attr().userContext(i);
            Object mine = i;
            acceptors.add(threads.submit(() -> {
                boolean right = true;
                for (int n = 0; n < each; n++) {
                    try (CmConnection one = listener.accept(server.pd, attr, PATIENCE, TimeUnit.SECONDS)) {
                        right &= one.queuePair().userContext() == mine;
                    }
                }
                return right;
            }));
        }
        for (int i = 0; i < 2 * each; i++) {
            connecting().get(PATIENCE, TimeUnit.SECONDS).close();
        }
        for (Future<Boolean> one : acceptors) {
            assertThat(one.get(PATIENCE, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void optionsReachBothQueuePairs() throws Exception {
        listen(CmOptions.DEFAULT.withAckTimeout(12));
        CompletableFuture<CmConnection> coming = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                coming.complete(connect(CmOptions.DEFAULT.withAckTimeout(13)));
            } catch (Throwable e) {
                coming.completeExceptionally(e);
            }
        });
        try (CmConnection there = listener.accept(server.pd, server.attr(), PATIENCE, TimeUnit.SECONDS);
                CmConnection here = coming.get(PATIENCE, TimeUnit.SECONDS)) {
            assertThat(here.queuePair().query(QpAttrMask.TIMEOUT).timeout()).isEqualTo(13);
            assertThat(there.queuePair().query(QpAttrMask.TIMEOUT).timeout()).isEqualTo(12);
        }
        assertThatThrownBy(() -> listener.id().setOption(CmOption.ACK_TIMEOUT, 32))
                .hasMessageContaining("0 to 31");
    }

    /** A local failure is reported with its reason: here a queue pair that was moved meanwhile. */
    @Test
    void localFailureReachesProgram() throws Exception {
        listen(CmOptions.DEFAULT);
        Future<CmConnection> accepting =
                threads.submit(() -> listener.accept(server.pd, server.attr(), 1, TimeUnit.SECONDS));
        assertThatThrownBy(() -> CmConnection.connect(
                        client.pd,
                        address,
                        client.attr(),
                        ConnParam.DEFAULT,
                        qp -> qp.modify(new io.verbs4j.QpAttr().qpState(io.verbs4j.QpState.ERR)),
                        PATIENCE,
                        TimeUnit.SECONDS))
                .hasMessageContaining("CONNECT_ERROR")
                .hasMessageContaining("modify_qp")
                .hasCauseInstanceOf(VerbsException.class);
        assertThat(accepting.get(PATIENCE, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void failedConnectSaysWhereItLooked() throws Exception {
        listen(CmOptions.DEFAULT);
        int nobodys = 1;
        assertThatThrownBy(() -> CmConnection.connect(
                        client.pd,
                        new InetSocketAddress("localhost", nobodys),
                        client.attr(),
                        PATIENCE,
                        TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ECONNREFUSED))
                .hasMessageContaining("no listener there")
                .hasMessageContaining("/cm; use the address to reach a listener of another user")
                .hasMessageContaining("another folder for temporary files");
    }
}
