/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AddressHandle;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.DevicePorts;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.testsupport.Full;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections by address between queue pairs of embedded devices. */
class ConnectionsTest {
    private static final long PATIENCE = 60;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private static Device device(int index) {
        List<Device> embedded = Verbs.devices().stream()
                .filter(device -> device.kind() == DeviceKind.EMBEDDED)
                .toList();
        return embedded.get(index);
    }

    private static Party party(int index) {
        return new Party(Verbs.open(device(index), VerbsLevel.CURRENT));
    }

    private static InetSocketAddress at(Context context, int port) {
        return new InetSocketAddress(context.queryGid(1, 0).toInetAddress(), port);
    }

    private CompletableFuture<CmConnection> accepted(CmListener listener, Party party, ConnParam param) {
        CompletableFuture<CmConnection> future = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                future.complete(
                        listener.accept(party.pd, party.attr(), param, party::receive, PATIENCE, TimeUnit.SECONDS));
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    /** Everything that connections needed is released with them. */
    private static void nothingIsLeft(Port port) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (port.management() != null) {
            assertThat(System.nanoTime())
                    .as("time until the connection manager ends")
                    .isLessThan(end);
            Thread.sleep(20);
        }
        assertThat(port.queuePairCount()).isZero();
    }

    /** Within a device, and between two by packets. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void connectionExchangesMessagesAndDisconnects(int other) throws Exception {
        try (Party server = party(other);
                Party client = party(0);
                CmListener listener = CmListener.listen(server.context, new InetSocketAddress(0), 4)) {
            InetSocketAddress address = at(server.context, listener.address().getPort());
            CompletableFuture<CmConnection> coming =
                    accepted(listener, server, ConnParam.DEFAULT.withPrivateData((byte) 8));
            try (CmConnection here = CmConnection.connect(
                            client.pd,
                            address,
                            client.attr(),
                            ConnParam.DEFAULT.withPrivateData((byte) 7),
                            client::receive,
                            PATIENCE,
                            TimeUnit.SECONDS);
                    CmConnection there = coming.get(PATIENCE, TimeUnit.SECONDS)) {
                assertThat(there.peer().privateData()).hasSize(56).startsWith(7, 0);
                assertThat(here.peer().privateData()).hasSize(196).startsWith(8, 0);
                client.send(here.queuePair(), 42);
                client.completed(1);
                assertThat(server.received()).isEqualTo(42);
                server.send(there.queuePair(), 43);
                server.completed(1);
                assertThat(client.received()).isEqualTo(43);
                assertThat(here.awaitDisconnected(0, TimeUnit.SECONDS)).isFalse();
                QueuePair qp = there.queuePair();
                here.id().disconnect();
                assertThat(there.awaitDisconnected(PATIENCE, TimeUnit.SECONDS)).isTrue();
                assertThat(qp.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.ERR);
            }
        }
        nothingIsLeft(DevicePorts.of(device(0)));
        nothingIsLeft(DevicePorts.of(device(other)));
    }

    /** A network that loses, duplicates and reorders packets, including those that establish the connection. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    @Full
    void connectionSurvivesBadNetwork(int seed) throws Exception {
        String faults = "drop=0.2,duplicate=0.2,reorder=0.2,corrupt=0.05,seed=";
        try (Party server = new Party(TestContext.open(faults + seed));
                Party client = new Party(TestContext.open(faults + (seed + 100)));
                CmListener listener = CmListener.listen(server.context, new InetSocketAddress(0), 4)) {
            InetSocketAddress address = at(server.context, listener.address().getPort());
            CompletableFuture<CmConnection> coming = accepted(listener, server, ConnParam.DEFAULT);
            try (CmConnection here =
                            CmConnection.connect(client.pd, address, client.attr(), PATIENCE, TimeUnit.SECONDS);
                    CmConnection there = coming.get(PATIENCE, TimeUnit.SECONDS)) {
                client.send(here.queuePair(), seed);
                assertThat(server.received()).isEqualTo(seed);
                there.id().disconnect();
                assertThat(here.awaitDisconnected(PATIENCE, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    @Full
    void thousandConnectionsLeaveNothing() throws Exception {
        try (Party server = party(1);
                Party client = party(0);
                CmListener listener = CmListener.listen(server.context, new InetSocketAddress(0), 64)) {
            InetSocketAddress address = at(server.context, listener.address().getPort());
            for (int i = 0; i < 1000; i++) {
                CompletableFuture<CmConnection> coming = accepted(listener, server, ConnParam.DEFAULT);
                try (CmConnection here =
                                CmConnection.connect(client.pd, address, client.attr(), PATIENCE, TimeUnit.SECONDS);
                        CmConnection there = coming.get(PATIENCE, TimeUnit.SECONDS)) {
                    assertThat(here.queuePair().qpNum())
                            .isNotEqualTo(there.queuePair().qpNum());
                }
            }
            assertThat(DevicePorts.of(device(0)).queuePairCount()).isZero();
            assertThat(DevicePorts.of(device(1)).queuePairCount()).isZero();
        }
        nothingIsLeft(DevicePorts.of(device(0)));
        nothingIsLeft(DevicePorts.of(device(1)));
    }

    @Test
    void failuresAreExplained() throws Exception {
        try (Party server = party(1);
                Party client = party(0);
                CmListener listener = CmListener.listen(server.context, new InetSocketAddress(0), 4)) {
            int port = listener.address().getPort();
            assertThatThrownBy(() -> CmConnection.connect(
                            client.pd,
                            at(server.context, port == 60000 ? 60001 : 60000),
                            client.attr(),
                            PATIENCE,
                            TimeUnit.SECONDS))
                    .hasMessageContaining("no listener there")
                    .satisfies(e -> assertThat(((VerbsException) e).errno()).isEqualTo(Errno.ECONNREFUSED));
            listener.id().migrate(EventChannel.create()); // nobody accepts, so the time expires
            assertThatThrownBy(() -> CmConnection.connect(
                            client.pd, at(server.context, port), client.attr(), 100, TimeUnit.MILLISECONDS))
                    .satisfies(e -> assertThat(((VerbsException) e).errno()).isEqualTo(Errno.ETIMEDOUT));
            CmEvent request = listener.id().channel().getEvent(PATIENCE, TimeUnit.SECONDS);
            assertThat(CmEventType.toString(request.type())).isEqualTo("CONNECT_REQUEST");
            assertThat(request.listenId()).isSameAs(listener.id());
            request.id().close();
            listener.id().channel().close();
        }
        assertThat(DevicePorts.of(device(0)).queuePairCount()).isZero();
    }

    @Test
    void interruptAndCloseEndWaits() throws Exception {
        try (Party server = party(0)) {
            CmListener listener = CmListener.listen(server.context, new InetSocketAddress(0), 4);
            CompletableFuture<Throwable> interrupted = new CompletableFuture<>();
            CountDownLatch waits = new CountDownLatch(1);
            Thread thread = new Thread(() -> {
                try {
                    waits.countDown();
                    listener.accept(server.pd, server.attr(), PATIENCE, TimeUnit.SECONDS);
                } catch (Throwable e) {
                    interrupted.complete(e);
                }
            });
            thread.start();
            waits.await();
            thread.interrupt();
            assertThat(interrupted.get(PATIENCE, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINTR));
            CompletableFuture<CmConnection> closed = accepted(listener, server, ConnParam.DEFAULT);
            listener.close();
            assertThatThrownBy(() -> closed.get(PATIENCE, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
        }
        nothingIsLeft(DevicePorts.of(device(0)));
    }

    private static CmEvent next(EventChannel channel, int type) {
        CmEvent event = channel.getEvent(PATIENCE, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        assertThat(CmEventType.toString(event.type())).isEqualTo(CmEventType.toString(type));
        return event;
    }

    private static CmId resolved(EventChannel channel, Party party, int portSpace, InetSocketAddress address) {
        CmId id = channel.createId(party.context, portSpace);
        id.resolveAddress(null, address, 1000, TimeUnit.MILLISECONDS);
        next(channel, CmEventType.ADDR_RESOLVED);
        id.resolveRoute(1000, TimeUnit.MILLISECONDS);
        next(channel, CmEventType.ROUTE_RESOLVED);
        return id;
    }

    /** Queue pairs of the program itself, on both sides: it moves them with attributes that it queries. */
    @Test
    void externalQueuePairsConnect() throws Exception {
        try (Party server = party(1);
                Party client = party(0);
                EventChannel far = EventChannel.create();
                EventChannel near = EventChannel.create();
                QueuePair theirs = server.pd.createQp(server.attr());
                QueuePair ours = client.pd.createQp(client.attr())) {
            CmId listener = far.createId(server.context, PortSpace.TCP);
            listener.listen(1);
            CmId id = resolved(
                    near,
                    client,
                    PortSpace.TCP,
                    at(server.context, listener.localAddress().getPort()));
            ours.modify(id.qpAttr(QpState.INIT));
            id.connect(ConnParam.DEFAULT.withQpNum(ours.qpNum()));
            CmEvent request = next(far, CmEventType.CONNECT_REQUEST);
            assertThat(request.conn().qpNum()).isEqualTo(ours.qpNum());
            for (int state : new int[] {QpState.INIT, QpState.RTR, QpState.RTS}) {
                theirs.modify(request.id().qpAttr(state));
            }
            server.receive(theirs);
            request.id().accept(ConnParam.DEFAULT.withQpNum(theirs.qpNum()));
            next(near, CmEventType.CONNECT_RESPONSE);
            ours.modify(id.qpAttr(QpState.RTR));
            ours.modify(id.qpAttr(QpState.RTS));
            id.establish();
            next(far, CmEventType.ESTABLISHED);
            client.send(ours, 9);
            client.completed(1);
            assertThat(server.received()).isEqualTo(9);
            request.id().disconnect();
            next(near, CmEventType.DISCONNECTED);
            next(near, CmEventType.TIMEWAIT_EXIT);
            assertThat(ours.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.RTS); // not moved by the id
        }
        nothingIsLeft(DevicePorts.of(device(0)));
    }

    /** The first packet implies the lost message that the connection is established. */
    @Test
    void firstPacketReplacesLostMessage() throws Exception {
        try (Party server = party(1);
                Party client = party(0);
                EventChannel far = EventChannel.create();
                EventChannel near = EventChannel.create();
                QueuePair ours = client.pd.createQp(client.attr())) {
            CmId listener = far.createId(server.context, PortSpace.TCP);
            listener.listen(1);
            CmId id = resolved(
                    near,
                    client,
                    PortSpace.TCP,
                    at(server.context, listener.localAddress().getPort()));
            id.connect(ConnParam.DEFAULT.withQpNum(ours.qpNum()));
            CmEvent request = next(far, CmEventType.CONNECT_REQUEST);
            QueuePair theirs = request.id().createQp(server.pd, server.attr());
            server.receive(theirs);
            request.id().accept(ConnParam.DEFAULT);
            next(near, CmEventType.CONNECT_RESPONSE);
            assertThatThrownBy(() -> request.id().accept(ConnParam.DEFAULT)) // a second call loses nothing
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
            for (int state : new int[] {QpState.INIT, QpState.RTR, QpState.RTS}) {
                ours.modify(id.qpAttr(state));
            }
            client.send(ours, 3); // and no establish()
            next(far, CmEventType.ESTABLISHED);
            assertThat(server.received()).isEqualTo(3);
        }
    }

    @Test
    void datagramsAreSentByAddress() throws Exception {
        try (Party server = party(1);
                Party client = party(0);
                EventChannel far = EventChannel.create();
                EventChannel near = EventChannel.create()) {
            CmId listener = far.createId(server.context, PortSpace.UDP);
            QueuePair theirs = listener.createQp(server.pd, server.attr(QpType.UD));
            server.receive(theirs);
            listener.listen(1);
            CmId id = resolved(
                    near,
                    client,
                    PortSpace.UDP,
                    at(server.context, listener.localAddress().getPort()));
            QueuePair ours = id.createQp(client.pd, client.attr(QpType.UD));
            id.connect(ConnParam.DEFAULT);
            CmEvent request = next(far, CmEventType.CONNECT_REQUEST);
            request.id().accept(ConnParam.DEFAULT.withQpNum(theirs.qpNum()));
            CmEvent found = next(near, CmEventType.ESTABLISHED);
            assertThat(found.ud().qpNum()).isEqualTo(theirs.qpNum());
            try (AddressHandle ah = client.pd.createAh(found.ud().ahAttr())) {
                client.memory.put(0, (byte) 77);
                int error = ours.postSend(new SendWorkRequest()
                        .wrId(1)
                        .opcode(WrOpcode.SEND)
                        .sendFlags(SendFlags.SIGNALED)
                        .sgList(ScatterGatherElement.of(client.mr, 0, 1))
                        .ah(ah)
                        .remoteQpn(found.ud().qpNum())
                        .remoteQkey(found.ud().qkey()));
                assertThat(error).isZero();
                client.completed(1);
                server.completed(2);
                assertThat(server.memory.get(2048 + 40)).isEqualTo((byte) 77);
            }
        }
        nothingIsLeft(DevicePorts.of(device(1)));
    }

    @Test
    void connectionIsMadeAsynchronously() throws Exception {
        try (Party server = party(1);
                Party client = party(0);
                CmListener listener = CmListener.listen(server.context, new InetSocketAddress(0), 4)) {
            InetSocketAddress address = at(server.context, listener.address().getPort());
            CompletableFuture<CmConnection> coming = CmConnection.connectAsync(
                    client.pd,
                    address,
                    client.attr(),
                    ConnParam.DEFAULT,
                    client::receive,
                    PATIENCE,
                    TimeUnit.SECONDS,
                    threads);
            try (CmConnection there =
                            accepted(listener, server, ConnParam.DEFAULT).get(PATIENCE, TimeUnit.SECONDS);
                    CmConnection here = coming.get(PATIENCE, TimeUnit.SECONDS)) {
                assertThat(here.queuePair().qpNum()).isEqualTo(there.peer().qpNum());
            }
        }
        nothingIsLeft(DevicePorts.of(device(0)));
    }

    /**
     * Ids are closed while the program holds events of them and others are pending, including the listener's with an
     * untaken request.
     */
    @Test
    void closingWithPendingEventsDoesNotWait() throws Exception {
        try (Party server = party(1);
                Party client = party(0);
                EventChannel far = EventChannel.create();
                EventChannel near = EventChannel.create()) {
            CmId listener = far.createId(server.context, PortSpace.TCP);
            listener.listen(4);
            InetSocketAddress address =
                    at(server.context, listener.localAddress().getPort());
            CmId first = resolved(near, client, PortSpace.TCP, address);
            first.connect(ConnParam.DEFAULT.withQpNum(100));
            CmEvent request = next(far, CmEventType.CONNECT_REQUEST);
            request.id().reject((byte) 5);
            CmEvent rejected = next(near, CmEventType.REJECTED);
            first.close();
            request.id().close();
            assertThat(rejected.conn().privateData()).hasSize(148).startsWith(5, 0);
            assertThat(rejected.statusText()).contains("the program at the peer (28)");
            assertThatThrownBy(() -> first.connect(ConnParam.DEFAULT)).hasMessageContaining("closed");
            CmId second = resolved(near, client, PortSpace.TCP, address);
            second.connect(ConnParam.DEFAULT.withQpNum(101));
            Port port = DevicePorts.of(device(1));
            assertThat(port.management()).isNotNull();
            // Not taken: closing the listener rejects it.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
            CmEvent untaken;
            listener.migrate(EventChannel.create());
            while ((untaken = near.getEvent(10, TimeUnit.MILLISECONDS)) == null) {
                assertThat(System.nanoTime()).isLessThan(end);
                listener.close();
            }
            assertThat(CmEventType.toString(untaken.type())).isEqualTo("REJECTED");
        }
        nothingIsLeft(DevicePorts.of(device(0)));
        nothingIsLeft(DevicePorts.of(device(1)));
    }

    /** A pending request moves with its listener, as do its events. */
    @Test
    void requestFollowsItsListener() throws Exception {
        try (Party server = party(1);
                Party client = party(0);
                EventChannel far = EventChannel.create();
                EventChannel farther = EventChannel.create();
                EventChannel near = EventChannel.create()) {
            CmId listener = far.createId(server.context, PortSpace.TCP);
            listener.listen(4);
            CmId id = resolved(
                    near,
                    client,
                    PortSpace.TCP,
                    at(server.context, listener.localAddress().getPort()));
            id.createQp(client.pd, client.attr());
            id.connect(ConnParam.DEFAULT);
            listener.migrate(farther);
            CmEvent request = next(farther, CmEventType.CONNECT_REQUEST);
            assertThat(request.id().channel()).isSameAs(farther);
            request.id().createQp(server.pd, server.attr());
            request.id().accept(ConnParam.DEFAULT);
            next(near, CmEventType.ESTABLISHED);
            next(farther, CmEventType.ESTABLISHED);
            assertThat(far.getEvent(0, TimeUnit.SECONDS)).isNull();
        }
        nothingIsLeft(DevicePorts.of(device(0)));
        nothingIsLeft(DevicePorts.of(device(1)));
    }

    /** The queue pair of an id that has joined a group receives what is sent there; closing the id leaves the group. */
    @Test
    void idJoinsAndLeavesGroup() throws Exception {
        try (Party member = party(1);
                EventChannel channel = EventChannel.create()) {
            CmId id = channel.createId(member.context, PortSpace.UDP);
            id.bind(at(member.context, 0));
            QueuePair qp = id.createQp(member.pd, member.attr(QpType.UD));
            member.receive(qp);
            id.joinMulticast(InetAddress.getByName("239.7.8.9"), "mine");
            CmEvent joined = next(channel, CmEventType.MULTICAST_JOIN);
            assertThat(joined.context()).isEqualTo("mine");
            try (AddressHandle ah = member.pd.createAh(joined.ud().ahAttr())) {
                member.memory.put(0, (byte) 55);
                int error = qp.postSend(new SendWorkRequest()
                        .wrId(1)
                        .opcode(WrOpcode.SEND)
                        .sendFlags(SendFlags.SIGNALED)
                        .sgList(ScatterGatherElement.of(member.mr, 0, 1))
                        .ah(ah)
                        .remoteQpn(joined.ud().qpNum())
                        .remoteQkey(joined.ud().qkey()));
                assertThat(error).isZero();
                assertThat(member.next() + member.next()).isEqualTo(3);
                assertThat(member.memory.get(2048 + 40)).isEqualTo((byte) 55);
            }
            id.close(); // a queue pair in a group could not be closed
            assertThat(DevicePorts.of(device(1)).queuePairCount()).isZero();
        }
    }
}
