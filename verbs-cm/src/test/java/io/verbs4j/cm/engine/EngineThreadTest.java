/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.spi.GsiReceiver;
import io.verbs4j.testsupport.Patience;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which thread does what. */
class EngineThreadTest {
    private static final Gid GID = SimNet.gid("10.0.0.1");
    private static final int PORT = 4000;

    private final Loop port = new Loop();
    private final EngineThread thread;

    /** A port that passes sent packets to its own receiver at once, or drops them if it has none. */
    private static final class Loop extends OneAddress {
        GsiReceiver receiver;
        int within;

        Loop() {
            super(GID, 1);
        }

        @Override
        public void open(GsiReceiver to) {
            // the test sets the receiver
        }

        @Override
        public void close() {
            // the test sets the receiver
        }

        @Override
        public void send(Gid source, Gid destination, int trafficClass, ByteBuffer mad) {
            if (receiver != null) {
                within++;
                assertThat(within).as("nested calls").isEqualTo(1);
                receiver.received(source, destination, mad, 0, Mad.LENGTH);
                within--;
            }
        }
    }

    /** Records the events of an end, and the threads that reported them. */
    private static final class Noted extends SimNet.Told {
        final BlockingQueue<Integer> types = new LinkedBlockingQueue<>();
        final List<Thread> by = new ArrayList<>();

        @Override
        public void event(int type, int status, ConnParam conn, io.verbs4j.cm.UdParam ud, Object context) {
            by.add(Thread.currentThread());
            types.add(type);
        }

        @Override
        public io.verbs4j.cm.spi.CmSink connectRequest(io.verbs4j.cm.spi.CmEndpoint child, ConnParam conn) {
            super.connectRequest(child, conn);
            by.add(Thread.currentThread());
            types.add(CmEventType.CONNECT_REQUEST);
            return children.get(children.size() - 1);
        }

        int next() throws InterruptedException {
            Integer type = types.poll(Patience.SECONDS, TimeUnit.SECONDS);
            assertThat(type).as("an event within 20 s").isNotNull();
            return type;
        }
    }

    EngineThreadTest() {
        thread = new EngineThread(port);
        thread.start();
    }

    private Endpoint end(SimNet.Told told) {
        synchronized (thread.engine()) {
            return new Endpoint(thread.engine(), null, SimNet.LIMITS, PortSpace.TCP, told);
        }
    }

    private Endpoint listener(Noted told) {
        Endpoint listener = end(told);
        listener.bind(new InetSocketAddress(PORT));
        listener.listen(4);
        return listener;
    }

    /** The receiving thread reports the event to the program itself. */
    @Test
    void packetIsHandledByReceivingThread() {
        Noted told = new Noted();
        try (Endpoint listener = listener(told)) {
            Gid peer = SimNet.gid("10.0.0.2");
            Req req = SimNet.request(peer, GID, PORT, 5, 7);
            thread.received(peer, GID, req.b, 0, Mad.LENGTH);
            assertThat(told.by).containsExactly(Thread.currentThread());
            told.children.get(0).end.close();
            assertThat(listener.isListening()).isTrue();
        }
    }

    /** A packet from one end to another end of the same engine arrives while the engine is working, so it must wait. */
    @Test
    void packetToItselfWaitsForEngineThread() throws InterruptedException {
        port.receiver = thread;
        Noted served = new Noted();
        Noted asked = new Noted();
        try (Endpoint listener = listener(served);
                Endpoint client = end(asked)) {
            client.resolveAddress(null, new InetSocketAddress(GID.toInetAddress(), PORT), 1000);
            client.resolveRoute(1000);
            client.connect(ConnParam.DEFAULT.withQpNum(9));
            assertThat(served.next()).isEqualTo(CmEventType.CONNECT_REQUEST);
            served.children.get(0).end.accept(ConnParam.DEFAULT.withQpNum(10));
            assertThat(List.of(asked.next(), asked.next(), asked.next()))
                    .containsExactly(
                            CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED, CmEventType.CONNECT_RESPONSE);
            client.establish();
            client.disconnect();
            assertThat(asked.next()).isEqualTo(CmEventType.DISCONNECTED);
            assertThat(listener.isListening()).isTrue();
            served.children.get(0).end.close();
        }
    }

    /** A sleeping thread is not woken for deadlines after its own. */
    @Test
    void onlyEarlierDeadlineWakesThread() {
        AtomicInteger woken = new AtomicInteger();
        AtomicLong now = new AtomicLong(-50);
        Engine engine = new Engine(port, now::get, new Random(1), woken::incrementAndGet);
        assertThat(engine.runTimers()).isEqualTo(Long.MAX_VALUE);
        Connection late;
        Connection later;
        Connection early;
        synchronized (engine) {
            late = engine.connect(null);
            later = engine.connect(null);
            early = engine.connect(null);
            engine.schedule(late, 1000);
            assertThat(woken).hasValue(1);
            engine.schedule(later, 2000);
            assertThat(woken).as("after the one before").hasValue(1);
            engine.schedule(early, 500);
            assertThat(woken).as("before it").hasValue(2);
            engine.schedule(late, 900);
            assertThat(woken).as("known already").hasValue(2);
            engine.cancel(early);
        }
        assertThat(engine.runTimers()).isEqualTo(900);
        synchronized (engine) {
            engine.schedule(early, 899);
            assertThat(woken).hasValue(3);
        }
    }

    /** Timewait periods end together, and not early. */
    @Test
    void timewaitPeriodsEndTogether() {
        AtomicLong now = new AtomicLong(12_345);
        Engine engine = new Engine(port, now::get, new Random(1), () -> {});
        synchronized (engine) {
            engine.scheduleOnGrid(engine.connect(null), 1_000_000);
            engine.scheduleOnGrid(engine.connect(null), 1_200_000);
        }
        long first = engine.runTimers();
        assertThat(first).isBetween(1_200_000L, 1L << 24);
        now.addAndGet(first);
        engine.runTimers();
        synchronized (engine) {
            assertThat(engine.runTimers()).isEqualTo(Long.MAX_VALUE);
        }
    }
}
