/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SendFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.CmOption;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.RejectReason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Connections by address through librdmacm, on the devices {@code rxe0} and {@code rxe1} of the guest's kernel, or on
 * those of siw, whose queue pairs only a connection manager can connect. {@link KernelConnectionsIT} runs these tests
 * in the guest; they also run on simulated devices.
 */
// Longer than 500 lines because it is one list of cases, which two integration tests start by its name, all or case by
// case.
public class KernelConnections {
    public static final String DRIVER = "verbs4j.guest.driver";

    /** Property: the addresses of the two devices, separated by a comma. */
    public static final String ADDRESSES = "verbs4j.guest.addresses";

    private static final long PATIENCE = 60;
    private static final String KIND = System.getProperty(DRIVER, "rxe");
    private static final boolean IWARP = KIND.equals("siw");

    /** The number of sends without a completion: with libmlx5, only a polled completion frees a full ring. */
    private static final int SENDS = KIND.startsWith("mlx5") ? 7 : 8;

    private static final String[] BOTH =
            System.getProperty(ADDRESSES, "10.7.0.1,10.7.0.2").split(",", -1);
    private static final String CLIENT = BOTH[0];
    private static final String SERVER = BOTH[1];

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private CmParty client;
    private CmParty server;

    @BeforeEach
    void open() {
        client = new CmParty(KIND + "0");
        server = new CmParty(KIND + "1");
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        client.close();
        server.close();
    }

    private static InetSocketAddress at(String host, int port) {
        byte[] gid = new byte[Gid.LENGTH];
        gid[10] = -1;
        gid[11] = -1;
        String[] numbers = host.split("\\.", -1);
        for (int i = 0; i < numbers.length; i++) {
            gid[12 + i] = (byte) Integer.parseInt(numbers[i]);
        }
        return new InetSocketAddress(Gid.of(gid).toInetAddress(), port);
    }

    private CmListener listener() {
        return CmListener.listen(server.context, at(SERVER, 0), 0);
    }

    private CompletableFuture<CmConnection> accepted(CmListener listener, ConnParam param) {
        CompletableFuture<CmConnection> future = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                future.complete(
                        listener.accept(server.pd, server.attr(), param, server::receive, PATIENCE, TimeUnit.SECONDS));
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    private CmConnection connected(InetSocketAddress address, ConnParam param) {
        return CmConnection.connect(
                client.pd, address, client.attr(), param, client::receive, PATIENCE, TimeUnit.SECONDS);
    }

    private static CmEvent next(EventChannel channel, int type) {
        CmEvent event = channel.getEvent(PATIENCE, TimeUnit.SECONDS);
        assertThat(event).as(CmEventType.toString(type)).isNotNull();
        assertThat(CmEventType.toString(event.type())).as("%s", event).isEqualTo(CmEventType.toString(type));
        return event;
    }

    private static CmId resolved(EventChannel channel, CmParty party, int space, InetSocketAddress address)
            throws InterruptedException {
        CmId id = channel.createId(party.context, space);
        id.resolveAddress(null, address, 5_000, TimeUnit.MILLISECONDS);
        next(channel, CmEventType.ADDR_RESOLVED);
        id.resolveRoute(5_000, TimeUnit.MILLISECONDS);
        next(channel, CmEventType.ROUTE_RESOLVED);
        return id;
    }

    private static CmId listening(EventChannel channel, CmParty party, int space, InetSocketAddress address) {
        CmId id = channel.createId(party.context, space);
        id.bind(address);
        id.listen(4);
        return id;
    }

    private static void refused(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(Errno.name(e.errno())).as("%s", e).isEqualTo(Errno.name(errno)));
    }

    // ---- connections

    @Test
    void connectsSendsWritesDisconnects() throws Exception {
        try (CmListener listener = listener()) {
            CompletableFuture<CmConnection> coming = accepted(listener, ConnParam.DEFAULT.withPrivateData((byte) 8));
            try (CmConnection here = connected(listener.address(), ConnParam.DEFAULT.withPrivateData((byte) 7));
                    CmConnection there = coming.get(PATIENCE, TimeUnit.SECONDS)) {
                assertThat(there.peer().privateData()).startsWith(7);
                assertThat(here.peer().privateData()).startsWith(8);
                if (!IWARP) { // iWARP sends only the bytes given
                    assertThat(there.peer().privateData()).hasSize(56);
                    assertThat(here.peer().privateData()).hasSize(196);
                }
                assertThat(here.id().localAddress().getAddress().getHostAddress())
                        .isEqualTo(CLIENT);
                assertThat(here.id().peerAddress()).isEqualTo(listener.address());
                assertThat(there.id().peerAddress()).isEqualTo(here.id().localAddress());
                for (int i = 0; i < 10; i++) {
                    client.send(here.queuePair(), i);
                    client.completed(1);
                    assertThat(server.received()).isEqualTo(i);
                    server.receive(there.queuePair());
                    server.send(there.queuePair(), 100 + i);
                    server.completed(1);
                    assertThat(client.received()).isEqualTo(100 + i);
                    client.receive(here.queuePair());
                }
                client.write(here.queuePair(), 42, server);
                assertThat(server.memory.get(0)).isEqualTo((byte) 42);
                assertThat(here.awaitDisconnected(0, TimeUnit.SECONDS)).isFalse();
                here.id().disconnect();
                assertThat(there.awaitDisconnected(PATIENCE, TimeUnit.SECONDS)).isTrue();
                assertThat(here.awaitDisconnected(PATIENCE, TimeUnit.SECONDS)).isTrue();
                assertThat(there.queuePair().postSend(server.request(1)))
                        .as("a post after the disconnect fails, or completes with an error")
                        .isNotNegative();
            }
        }
    }

    /** Nobody polls at the sender while it closes; its own completions are available afterwards. */
    @Test
    void closingLosesNothing() throws Exception {
        try (CmListener listener = listener()) {
            CompletableFuture<CmConnection> coming = accepted(listener, ConnParam.DEFAULT);
            CmConnection here = connected(listener.address(), ConnParam.DEFAULT);
            try (CmConnection there = coming.get(PATIENCE, TimeUnit.SECONDS)) {
                for (int i = 1; i < SENDS; i++) {
                    server.receive(there.queuePair());
                }
                for (int i = 0; i < SENDS; i++) {
                    assertThat(here.queuePair().postSend(client.request(i).sendFlags(0)))
                            .isZero();
                }
                here.close();
                for (int i = 0; i < SENDS; i++) {
                    server.completed(2);
                }
                assertThat(server.memory.get(CmParty.RECEIVED)).isEqualTo((byte) (SENDS - 1));
            }
        }
    }

    @Test
    void oneLoopServesCompletionsConnectionsAndTasks() throws Exception {
        for (boolean parks : new boolean[] {false, true}) {
            EchoLoop.serves(server, at(SERVER, 0), client, 3, parks);
        }
    }

    /** Both ends close after the last message, one slightly earlier. */
    @Test
    void closingBothEndsTogetherSucceeds() throws Exception {
        try (CmListener listener = listener()) {
            for (int i = 0; i < 20; i++) {
                CompletableFuture<CmConnection> coming = accepted(listener, ConnParam.DEFAULT);
                CmConnection here = connected(listener.address(), ConnParam.DEFAULT);
                CmConnection there = coming.get(PATIENCE, TimeUnit.SECONDS);
                client.send(here.queuePair(), i);
                assertThat(server.received()).isEqualTo(i);
                client.completed(1);
                server.send(there.queuePair(), 100 + i);
                server.completed(1);
                assertThat(client.received()).isEqualTo(100 + i);
                CompletableFuture<Void> closing = CompletableFuture.runAsync(there::close, threads);
                here.close();
                closing.get(PATIENCE, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void closingWithUndeliveredSendsTimesOut() throws Exception {
        assumeTrue(!IWARP, "iWARP: a message is done when TCP has taken it");
        try (CmListener listener = listener()) {
            CompletableFuture<CmConnection> coming = accepted(listener, ConnParam.DEFAULT);
            CmConnection here = connected(listener.address(), ConnParam.DEFAULT);
            try (CmConnection there = coming.get(PATIENCE, TimeUnit.SECONDS)) {
                client.send(here.queuePair(), 1);
                client.send(here.queuePair(), 2); // only one receive is posted
                refused(Errno.ETIMEDOUT, here.drainTime(300, TimeUnit.MILLISECONDS)::close);
                assertThat(there.awaitDisconnected(PATIENCE, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /** Binding a window completes like a send, so close must not count its completion as one. */
    @Test
    void closingDistinguishesBindsFromSends() throws Exception {
        assumeTrue(client.bindsWindows(), "the device, or its driver, binds no windows");
        int access = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND;
        try (CmListener listener = listener();
                MemoryRegion mr = client.pd.regMr(client.memory, access);
                MemoryWindow window = client.pd.allocMw(MwType.TYPE_1)) {
            CompletableFuture<CmConnection> coming = accepted(listener, ConnParam.DEFAULT);
            CmConnection here = connected(listener.address(), ConnParam.DEFAULT);
            try (CmConnection there = coming.get(PATIENCE, TimeUnit.SECONDS)) {
                MwBind bind = new MwBind()
                        .wrId(5)
                        .sendFlags(SendFlags.SIGNALED)
                        .mr(mr)
                        .addr(mr.addr())
                        .length(100)
                        .mwAccessFlags(AccessFlags.REMOTE_READ);
                assertThat(here.queuePair().bindMw(window, bind)).isZero();
                client.completed(5);
                client.send(here.queuePair(), 1);
                client.completed(1);
                client.send(here.queuePair(), 2); // only one receive is posted
                refused(Errno.ETIMEDOUT, here.drainTime(300, TimeUnit.MILLISECONDS)::close);
                assertThat(there.awaitDisconnected(PATIENCE, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /** The program creates the queue pair, so the kernel's connection manager knows only its number. */
    @Test
    void connectsQueuePairsCreatedByProgram() throws Exception {
        assumeTrue(!IWARP, "iWARP: the device moves queue pairs itself");
        try (EventChannel passive = EventChannel.create();
                EventChannel active = EventChannel.create();
                CmId listener = listening(passive, server, PortSpace.TCP, at(SERVER, 0));
                QueuePair there = server.pd.createQp(server.attr());
                QueuePair here = client.pd.createQp(client.attr())) {
            CmId id = resolved(active, client, PortSpace.TCP, listener.localAddress());
            here.modify(id.qpAttr(QpState.INIT));
            client.receive(here);
            id.connect(ConnParam.DEFAULT.withQpNum(here.qpNum()).withRetryCount(5));

            CmEvent request = next(passive, CmEventType.CONNECT_REQUEST);
            assertThat(request.listenId()).isSameAs(listener);
            assertThat(request.conn().qpNum()).isEqualTo(here.qpNum());
            assertThat(request.conn().retryCount()).isEqualTo(5);
            CmId other = request.id();
            there.modify(other.qpAttr(QpState.INIT));
            server.receive(there);
            there.modify(other.qpAttr(QpState.RTR));
            there.modify(other.qpAttr(QpState.RTS));
            other.accept(ConnParam.DEFAULT.withQpNum(there.qpNum()));

            CmEvent response = next(active, CmEventType.CONNECT_RESPONSE);
            assertThat(response.conn().qpNum()).isEqualTo(there.qpNum());
            here.modify(id.qpAttr(QpState.RTR));
            QpAttr rts = id.qpAttr(QpState.RTS);
            assertThat(rts.retryCnt()).isEqualTo(5);
            here.modify(rts);
            id.establish();
            next(passive, CmEventType.ESTABLISHED);
            client.send(here, 5);
            assertThat(server.received()).isEqualTo(5);
            assertThat(here.query(QpAttrMask.DEST_QPN).destQpNum()).isEqualTo(there.qpNum());
            other.disconnect();
            next(active, CmEventType.DISCONNECTED);
            next(passive, CmEventType.DISCONNECTED);
        }
    }

    @Test
    @SuppressWarnings("try") // closing early is what this tests
    void rejectionNamesSideAndReason() throws Exception {
        try (EventChannel passive = EventChannel.create();
                CmId listener = listening(passive, server, PortSpace.TCP, at(SERVER, 0))) {
            Future<CmConnection> connecting =
                    threads.submit(() -> connected(listener.localAddress(), ConnParam.DEFAULT));
            CmEvent request = next(passive, CmEventType.CONNECT_REQUEST);
            request.id().reject((byte) 9, (byte) 8);
            assertThatThrownBy(() -> connecting.get(PATIENCE, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(VerbsException.class)
                    .rootCause()
                    .hasMessageContaining(RejectReason.toString(RejectReason.CONSUMER_DEFINED));
            request.id().close();
            InetSocketAddress nobody = listener.localAddress();
            listener.close();
            refused(Errno.ECONNREFUSED, () -> connected(nobody, ConnParam.DEFAULT));
        }
    }

    /** Closing an unanswered request refuses it, and so does closing its listener and event channel. */
    @Test
    @SuppressWarnings("try") // closing early is what this tests
    void closingRefusesPendingRequests() throws Exception {
        try (EventChannel passive = EventChannel.create()) {
            CmId listener = listening(passive, server, PortSpace.TCP, at(SERVER, 0));
            Future<CmConnection> first = threads.submit(() -> connected(listener.localAddress(), ConnParam.DEFAULT));
            next(passive, CmEventType.CONNECT_REQUEST).id().close();
            assertThatThrownBy(() -> first.get(PATIENCE, TimeUnit.SECONDS))
                    .rootCause()
                    .isInstanceOf(VerbsException.class);
            Future<CmConnection> second = threads.submit(() -> connected(listener.localAddress(), ConnParam.DEFAULT));
            CmEvent request = next(passive, CmEventType.CONNECT_REQUEST);
            listener.close();
            passive.close();
            assertThatThrownBy(() -> second.get(PATIENCE, TimeUnit.SECONDS))
                    .rootCause()
                    .isInstanceOf(VerbsException.class);
            refused(Errno.EBADF, () -> request.id().accept(ConnParam.DEFAULT));
        }
    }

    /** A request for the other device's address must not reach a wildcard listener on this device. */
    @Test
    void wildcardTakesRequestsOfOwnDeviceOnly() throws Exception {
        try (CmListener listener = CmListener.listen(server.context, at("0.0.0.0", 0), 4)) {
            int port = listener.address().getPort();
            CompletableFuture<CmConnection> coming = accepted(listener, ConnParam.DEFAULT);
            try (CmConnection here = connected(at(SERVER, port), ConnParam.DEFAULT);
                    CmConnection there = coming.get(PATIENCE, TimeUnit.SECONDS)) {
                client.send(here.queuePair(), 3);
                client.completed(1);
                assertThat(server.received()).isEqualTo(3);
                assertThat(there.id().localAddress()).isEqualTo(at(SERVER, port));
            }
            if (!IWARP) {
                refused(Errno.ECONNREFUSED, () -> {
                    try (CmConnection wrong = CmConnection.connect(
                            server.pd, at(CLIENT, port), server.attr(), PATIENCE, TimeUnit.SECONDS)) {
                        assertThat(wrong).isNull();
                    }
                });
            }
        }
    }

    // ---- refused calls

    /** In C, librdmacm would dereference a missing device here. */
    @Test
    void callsOutOfOrderNeverReachC() throws Exception {
        try (EventChannel channel = EventChannel.create()) {
            CmId id = channel.createId(client.context, PortSpace.TCP);
            List<ThrowingCallable> wrong = List.of(
                    () -> id.resolveRoute(100, TimeUnit.MILLISECONDS),
                    () -> id.connect(ConnParam.DEFAULT),
                    () -> id.connect(ConnParam.DEFAULT.withInitiatorDepth(1)),
                    () -> id.accept(ConnParam.DEFAULT),
                    () -> id.reject(),
                    id::establish,
                    id::disconnect,
                    id::communicationEstablished,
                    () -> id.qpAttr(QpState.INIT),
                    () -> id.joinMulticast(at("239.1.2.3", 0).getAddress(), null));
            for (ThrowingCallable one : wrong) {
                refused(Errno.EINVAL, one);
            }
            id.bind(at(CLIENT, 0));
            for (ThrowingCallable one : wrong.subList(0, 8)) {
                refused(Errno.EINVAL, one);
            }
            refused(Errno.EINVAL, () -> id.bind(at(CLIENT, 0)));
            id.resolveAddress(null, at(SERVER, 7000), 5_000, TimeUnit.MILLISECONDS);
            next(channel, CmEventType.ADDR_RESOLVED);
            refused(Errno.EINVAL, () -> id.accept(ConnParam.DEFAULT));
            id.resolveRoute(5_000, TimeUnit.MILLISECONDS);
            next(channel, CmEventType.ROUTE_RESOLVED);
            refused(Errno.EINVAL, () -> id.accept(ConnParam.DEFAULT));
            refused(Errno.EINVAL, () -> id.connect(ConnParam.DEFAULT.withPrivateData(new byte[256])));
            if (!IWARP) {
                refused(Errno.EINVAL, () -> id.connect(ConnParam.DEFAULT.withPrivateData(new byte[57])));
            }
            refused(Errno.EINVAL, () -> id.setOption(CmOption.TOS, 256));
            refused(Errno.EOPNOTSUPP, () -> id.setOption(77, 1));
            id.setOption(CmOption.TOS, 32);
            id.close();
            for (ThrowingCallable one : wrong) {
                refused(Errno.EBADF, one);
            }
        }
    }

    @Test
    void unknownAddressesAreRefused() throws Exception {
        try (EventChannel channel = EventChannel.create()) {
            CmId id = channel.createId(client.context, PortSpace.TCP);
            refused(Errno.EADDRNOTAVAIL, () -> id.bind(at("10.99.0.1", 0)));
            refused(Errno.EADDRNOTAVAIL, () -> id.bind(at(SERVER, 0)));
            CmId far = channel.createId(client.context, PortSpace.TCP);
            far.resolveAddress(null, at("203.0.113.1", 1), 1_000, TimeUnit.MILLISECONDS);
            assertThat(next(channel, CmEventType.ADDR_ERROR).status()).isNegative();
            CmId astray = channel.createId(client.context, PortSpace.TCP);
            astray.resolveAddress(at(SERVER, 0), at(CLIENT, 1), 1_000, TimeUnit.MILLISECONDS);
            assertThat(next(channel, CmEventType.ADDR_ERROR).status()).isEqualTo(-Errno.EADDRNOTAVAIL);
            refused(Errno.EINVAL, () -> astray.resolveRoute(100, TimeUnit.MILLISECONDS));
            CmId one = listening(channel, server, PortSpace.TCP, at(SERVER, 0));
            CmId two = channel.createId(server.context, PortSpace.TCP);
            refused(Errno.EADDRINUSE, () -> two.bind(one.localAddress()));
        }
    }

    // ---- datagrams

    @Test
    void datagramsArriveByAddress() throws Exception {
        assumeTrue(!IWARP, "iWARP has no datagrams");
        try (EventChannel passive = EventChannel.create();
                EventChannel active = EventChannel.create();
                CmId listener = listening(passive, server, PortSpace.UDP, at(SERVER, 0))) {
            CmId id = resolved(active, client, PortSpace.UDP, listener.localAddress());
            QueuePair here = id.createQp(client.pd, client.attr(QpType.UD));
            id.connect(ConnParam.DEFAULT.withPrivateData((byte) 4));
            CmEvent request = next(passive, CmEventType.CONNECT_REQUEST);
            assertThat(request.conn().privateData()).hasSize(180).startsWith(4);
            QueuePair there = request.id().createQp(server.pd, server.attr(QpType.UD));
            server.receive(there);
            request.id().accept(ConnParam.DEFAULT.withPrivateData((byte) 6));
            CmEvent answer = next(active, CmEventType.ESTABLISHED);
            assertThat(answer.ud().qpNum()).isEqualTo(there.qpNum());
            assertThat(answer.ud().qkey()).isEqualTo(PortSpace.UDP_QKEY);
            assertThat(answer.conn().privateData()).hasSize(136).startsWith(6);
            try (AddressHandle ah = client.pd.createAh(answer.ud().ahAttr())) {
                assertThat(here.postSend(client.request(77)
                                .ah(ah)
                                .remoteQpn(answer.ud().qpNum())
                                .remoteQkey(answer.ud().qkey())))
                        .isZero();
                client.completed(1);
                server.completed(2);
                assertThat(server.memory.get(CmParty.RECEIVED + 40)).isEqualTo((byte) 77);
            }
            CmId again = resolved(active, client, PortSpace.UDP, listener.localAddress());
            again.connect(ConnParam.DEFAULT);
            next(passive, CmEventType.CONNECT_REQUEST).id().reject();
            assertThat(next(active, CmEventType.UNREACHABLE).status()).isEqualTo(2);
        }
    }

    @Test
    void joiningGroupReportsItsAddress() throws Exception {
        assumeTrue(!IWARP, "iWARP has no datagrams");
        Object own = new Object();
        InetSocketAddress group = at("239.1.2.3", 0);
        try (EventChannel channel = EventChannel.create()) {
            CmId id = channel.createId(server.context, PortSpace.UDP);
            id.bind(at(SERVER, 0));
            QueuePair qp = id.createQp(server.pd, server.attr(QpType.UD));
            id.joinMulticast(group.getAddress(), own);
            CmEvent joined = next(channel, CmEventType.MULTICAST_JOIN);
            assertThat(joined.context()).isSameAs(own);
            assertThat(joined.ud().qpNum()).isEqualTo(0xff_ffff);
            assertThat(joined.ud().dgid().toInetAddress()).isEqualTo(group.getAddress());
            assertThat(qp.qpNum()).isPositive();
            id.leaveMulticast(group.getAddress());
            id.leaveMulticast(group.getAddress());
            id.joinMulticast(group.getAddress(), null);
            assertThat(next(channel, CmEventType.MULTICAST_JOIN).context()).isNull();
        }
    }

    // ---- closing and interrupting

    /** Threads close ids in any state, with events pending. Nothing hangs, and no descriptor leaks. */
    @Test
    @SuppressWarnings("try") // closing early is what this tests
    void idsCloseAtAnyTime() throws Exception {
        long before = descriptors();
        try (CmListener listener = listener()) {
            AtomicBoolean done = new AtomicBoolean();
            List<Future<?>> accepting = new ArrayList<>();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                long seed = i;
                accepting.add(threads.submit(() -> {
                    hospitable(listener, done);
                    return null;
                }));
                running.add(threads.submit(() -> {
                    restless(new Random(seed), listener.address());
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get(PATIENCE, TimeUnit.SECONDS);
            }
            done.set(true);
            listener.close();
            for (Future<?> one : accepting) {
                one.get(PATIENCE, TimeUnit.SECONDS);
            }
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (descriptors() > before) {
            assertThat(System.nanoTime()).as("descriptors are left").isLessThan(end);
            Thread.sleep(20);
        }
    }

    private void hospitable(CmListener listener, AtomicBoolean done) {
        while (!done.get() && !Thread.currentThread().isInterrupted()) {
            try {
                listener.accept(server.pd, server.attr(), 2, TimeUnit.SECONDS).close();
            } catch (VerbsException e) {
                // the client is gone, or the listener is
            }
        }
    }

    private void restless(Random random, InetSocketAddress address) throws InterruptedException {
        for (int i = 0; i < 25; i++) {
            try (EventChannel channel = EventChannel.create()) {
                CmId id = channel.createId(client.context, PortSpace.TCP);
                int steps = random.nextInt(5);
                if (steps > 0) {
                    id.resolveAddress(null, address, 5_000, TimeUnit.MILLISECONDS);
                }
                if (steps > 1 && taken(channel)) {
                    id.resolveRoute(5_000, TimeUnit.MILLISECONDS);
                }
                if (steps > 2 && taken(channel)) {
                    id.createQp(client.pd, client.attr());
                    id.connect(ConnParam.DEFAULT);
                }
                if (steps > 3) {
                    taken(channel);
                }
                if (random.nextBoolean()) {
                    Future<?> other = threads.submit(id::close);
                    id.close();
                    try {
                        other.get(PATIENCE, TimeUnit.SECONDS);
                    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }
    }

    private static boolean taken(EventChannel channel) {
        CmEvent event = channel.getEvent(PATIENCE, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        return event.status() == 0;
    }

    /**
     * Counts descriptors, without the file that the simulator keeps for each register page of libmlx5; the kernel has
     * none.
     */
    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(one -> !target(one).startsWith("/memfd:device-sim"))
                    .count();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return ""; // the descriptor of the listing itself, closed by now
        }
    }

    /** Interrupting a thread that waits for an event ends the wait with EINTR; the id closes all the same. */
    @Test
    void interruptEndsWait() throws Exception {
        try (EventChannel channel = EventChannel.create();
                CmId id = channel.createId(client.context, PortSpace.TCP)) {
            Thread waiting = Thread.currentThread();
            threads.execute(() -> {
                while (waiting.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                }
                waiting.interrupt();
            });
            assertThatThrownBy(channel::getEvent)
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINTR));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(id.localAddress()).isNull();
        }
    }
}
