/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.CmOptions;
import io.verbs4j.cm.CmRejectedException;
import io.verbs4j.cm.CmRequest;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.DevicePorts;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that a server takes before it decides. */
class RequestTest {
    private static final long PATIENCE = 60;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<EventChannel> channels = new ArrayList<>();
    private Party party;
    private CmListener listener;
    private InetSocketAddress address;

    @BeforeEach
    void begin() {
        party = new Party(Verbs.open(
                Verbs.devices().stream()
                        .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                        .findFirst()
                        .orElseThrow(),
                VerbsLevel.CURRENT));
    }

    @AfterEach
    void end() {
        channels.forEach(EventChannel::close);
        if (listener != null) {
            listener.close();
        }
        threads.shutdownNow();
        party.close();
    }

    private void listen(CmOptions options) {
        listener = CmListener.listen(party.context, new InetSocketAddress(0), 64, options);
        address = new InetSocketAddress(
                party.context.queryGid(1, 0).toInetAddress(), listener.address().getPort());
    }

    private Future<CmConnection> connecting(int data) {
        return threads.submit(() -> CmConnection.connect(
                party.pd,
                address,
                party.attr(),
                ConnParam.DEFAULT.withPrivateData((byte) data),
                qp -> {},
                PATIENCE,
                TimeUnit.SECONDS));
    }

    /** A client that has requested a connection; it confirms, or sees the rejection, when it takes events. */
    private CmId asking() {
        EventChannel channel = EventChannel.create();
        channels.add(channel);
        CmId id = channel.createId(party.context, PortSpace.TCP);
        id.resolveAddress(null, address, 1000, TimeUnit.MILLISECONDS);
        next(id, CmEventType.ADDR_RESOLVED);
        id.resolveRoute(1000, TimeUnit.MILLISECONDS);
        next(id, CmEventType.ROUTE_RESOLVED);
        id.createQp(party.pd, party.attr());
        id.connect(ConnParam.DEFAULT);
        return id;
    }

    private static void next(CmId id, int type) {
        assertThat(CmEventType.toString(
                        id.channel().getEvent(PATIENCE, TimeUnit.SECONDS).type()))
                .isEqualTo(CmEventType.toString(type));
    }

    private static CmEvent takeEvent(CmId id) {
        return id.channel().getEvent(PATIENCE, TimeUnit.SECONDS);
    }

    private CmRequest take() {
        CmRequest request = listener.take(PATIENCE, TimeUnit.SECONDS);
        assertThat(request).isNotNull();
        return request;
    }

    private static void refused(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(Errno.name(e.errno())).as("%s", e).isEqualTo(Errno.name(errno)));
    }

    @Test
    void serverDecidesByPrivateData() throws Exception {
        listen(CmOptions.DEFAULT);
        assertThat(listener.take(0, TimeUnit.SECONDS)).isNull();
        Future<CmConnection> good = connecting(1);
        CmRequest first = take();
        Future<CmConnection> bad = connecting(2);
        CmRequest second = take();
        assertThat(first.privateData()).hasSize(56).startsWith(1);
        assertThat(second.conn().privateData()).startsWith(2);
        assertThat(second.peerAddress().getAddress()).isEqualTo(address.getAddress());
        second.reject((byte) 9);
        assertThatThrownBy(() -> bad.get(PATIENCE, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        CmRejectedException.class,
                        e -> assertThat(e.rejection.privateData()).startsWith(9));
        try (CmConnection there = first.accept(
                        party.pd, party.attr(), ConnParam.DEFAULT.withPrivateData((byte) 8), party::receive);
                CmConnection here = good.get(PATIENCE, TimeUnit.SECONDS)) {
            assertThat(here.peer().privateData()).startsWith(8);
            assertThat(there.peer().qpNum()).isEqualTo(here.queuePair().qpNum());
            party.send(here.queuePair(), 42);
            assertThat(List.of(party.next(), party.next())).containsExactlyInAnyOrder(1, 2);
        }
        refused(Errno.EINVAL, () -> first.accept(party.pd, party.attr()));
        refused(Errno.EINVAL, second::reject);
        first.close(); // already decided: does nothing
    }

    @Test
    void closingRequestRejectsIt() throws Exception {
        listen(CmOptions.DEFAULT);
        Future<CmConnection> client = connecting(1);
        CmRequest request = take();
        request.close();
        assertThatThrownBy(() -> client.get(PATIENCE, TimeUnit.SECONDS)).hasCauseInstanceOf(CmRejectedException.class);
        refused(Errno.EBADF, () -> request.accept(party.pd, party.attr()));
    }

    @Test
    void requestOutlivesItsListener() throws Exception {
        listen(CmOptions.DEFAULT);
        Future<CmConnection> client = connecting(1);
        CmRequest request = take();
        listener.close();
        try (CmConnection there = request.accept(party.pd, party.attr());
                CmConnection here = client.get(PATIENCE, TimeUnit.SECONDS)) {
            assertThat(there.peer().qpNum()).isEqualTo(here.queuePair().qpNum());
        }
    }

    @Test
    void clientThatHasGivenUpIsAborted() throws Exception {
        listen(CmOptions.DEFAULT);
        CmId client = asking();
        CmRequest request = take();
        client.close();
        refused(Errno.ECONNABORTED, () -> request.accept(party.pd, party.attr()));
        CmId other = asking();
        CmRequest late = take();
        other.close();
        late.reject(); // nobody receives it, and nothing fails
    }

    @Test
    void clientThatDoesNotConfirmIsAborted() throws Exception {
        listen(CmOptions.DEFAULT.withHandshakeTimeout(50, TimeUnit.MILLISECONDS));
        CmId client = asking();
        CmRequest request = take();
        refused(Errno.ECONNABORTED, () -> request.accept(party.pd, party.attr()));
        assertThat(DevicePorts.of(party.context.device()).queuePairCount())
                .as("queue pairs, including the client's")
                .isEqualTo(1);
        client.close();
    }

    /**
     * An accept call that shares nothing returns one connection: any other client reported as connected stays
     * connected.
     */
    @Test
    void acceptKeepsConnectedClients() throws Exception {
        listen(CmOptions.DEFAULT);
        CountDownLatch prepared = new CountDownLatch(1);
        CmId slow = asking();
        Future<CmConnection> accepting = threads.submit(() -> listener.accept(
                party.pd,
                party.attr(),
                ConnParam.DEFAULT,
                qp -> {
                    if (prepared.getCount() == 0) { // of the second client: the first one confirms just now, if it can
                        takeEvent(slow);
                    }
                    prepared.countDown();
                },
                PATIENCE,
                TimeUnit.SECONDS));
        prepared.await();
        Future<CmConnection> second = connecting(2); // waits, and is admitted after the first has had a second
        try (CmConnection there = accepting.get(PATIENCE, TimeUnit.SECONDS);
                CmConnection here = second.get(PATIENCE, TimeUnit.SECONDS)) {
            assertThat(there.peer().qpNum()).isEqualTo(here.queuePair().qpNum());
            assertThat(here.awaitDisconnected(100, TimeUnit.MILLISECONDS)).isFalse();
        }
    }
}
