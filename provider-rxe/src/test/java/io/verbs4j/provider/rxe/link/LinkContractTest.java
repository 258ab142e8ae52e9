/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every link, whatever its implementation. */
@Timeout(Patience.TEST_SECONDS)
class LinkContractTest {
    private static final int[] SIZES = {0, 1, 3, 4, 52, 256, 1024, 1023, 4096, 4096, 4096, 4095, 8, 8, 8, 4096, 2, 2, 0
    };

    static Stream<Named<Supplier<Link>>> links() {
        LinkOptions udp = LinkOptions.defaults().withKind(LinkOptions.Kind.UDP);
        LinkOptions nio = LinkOptions.defaults().withKind(LinkOptions.Kind.NIO);
        PipeFabric pipes = new PipeFabric();
        AtomicLong pipe = new AtomicLong();
        return Stream.of(
                Named.of("udp with GSO and GRO", () -> Traffic.open(udp)),
                Named.of("udp with GSO", () -> Traffic.open(udp.withOffload(true, false))),
                Named.of("udp with GRO", () -> Traffic.open(udp.withOffload(false, true))),
                Named.of("udp without either", () -> Traffic.open(udp.withOffload(false, false))),
                Named.of("nio", () -> Traffic.open(nio)),
                Named.of("pipe", () -> pipes.open(Gid.of(0xfe80L << 48, pipe.incrementAndGet()))),
                Named.of("faultless faults", () -> new FaultLink(Traffic.open(udp), FaultPlan.parse("side=both"))));
    }

    @ParameterizedTest
    @MethodSource("links")
    void packetsArriveAsTheyWereSent(Supplier<Link> kind) {
        try (Link a = kind.get();
                Link b = kind.get()) {
            TxBatch batch = a.newBatch();
            for (int i = 0; i < SIZES.length; i++) {
                Traffic.send(batch, b.localGid(), i, SIZES[i]);
            }
            batch.flush();
            assertThat(batch.isEmpty()).isTrue();
            List<Traffic.Seen> seen = Traffic.receive(b, SIZES.length);
            List<Traffic.Seen> expected = new ArrayList<>();
            for (int i = 0; i < SIZES.length; i++) {
                expected.add(new Traffic.Seen(i, SIZES[i], a.localGid(), Link.PORT, b.localGid()));
            }
            assertThat(seen).isEqualTo(expected);
            assertThat(a.counters().get(LinkCounters.TX_PACKETS)).isEqualTo(SIZES.length);
            assertThat(b.counters().get(LinkCounters.RX_PACKETS)).isEqualTo(SIZES.length);
            assertThat(a.counters().get("tx_bytes")).isEqualTo(b.counters().get("rx_bytes"));
            assertThat(a.poll(p -> {}, 10)).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("links")
    void longRunsOfEqualPacketsArrive(Supplier<Link> kind) {
        try (Link a = kind.get();
                Link b = kind.get()) {
            TxBatch batch = a.newBatch();
            for (int payload : new int[] {4, 64, 1024, 4096}) {
                int count = 200;
                for (int i = 0; i < count; i++) {
                    Traffic.send(batch, b.localGid(), i, payload);
                }
                Traffic.send(batch, b.localGid(), count, 1);
                batch.flush();
                // A limit that splits what was coalesced.
                List<Traffic.Seen> seen = Traffic.receive(b, count + 1, 7);
                assertThat(Traffic.numbers(seen))
                        .isEqualTo(IntStream.rangeClosed(0, count).boxed().toList());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("links")
    void destinationsMayAlternate(Supplier<Link> kind) {
        try (Link a = kind.get();
                Link b = kind.get();
                Link c = kind.get()) {
            TxBatch batch = a.newBatch();
            for (int i = 0; i < 40; i++) {
                Link to = i % 3 == 0 ? b : i % 3 == 1 ? c : a; // also to itself
                Traffic.send(batch, to.localGid(), i, 100);
            }
            batch.flush();
            assertThat(Traffic.numbers(Traffic.receive(b, 14))).hasSize(14).allMatch(n -> n % 3 == 0);
            assertThat(Traffic.numbers(Traffic.receive(c, 13))).hasSize(13).allMatch(n -> n % 3 == 1);
            assertThat(Traffic.numbers(Traffic.receive(a, 13))).hasSize(13).allMatch(n -> n % 3 == 2);
        }
    }

    @ParameterizedTest
    @MethodSource("links")
    void awaitEndsByPacketTimeAndWakeup(Supplier<Link> kind) {
        try (Link a = kind.get();
                Link b = kind.get()) {
            long start = System.nanoTime();
            assertThat(b.await(TimeUnit.MILLISECONDS.toNanos(30))).isFalse();
            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(25));
            assertThat(b.await(0)).isFalse();

            b.wakeup(); // before the wait
            b.wakeup();
            assertThat(b.await(Long.MAX_VALUE)).isFalse();
            assertThat(b.await(1000)).isFalse();

            TxBatch batch = a.newBatch();
            Traffic.send(batch, b.localGid(), 1, 4);
            Traffic.send(batch, b.localGid(), 2, 4);
            batch.flush();
            assertThat(b.await(Patience.NANOS)).isTrue();
            assertThat(b.poll(p -> {}, 1)).isOne();
            assertThat(b.await(0))
                    .as("a received packet that was not handed out")
                    .isTrue();
            assertThat(b.poll(p -> {}, 10)).isOne();
        }
    }

    @ParameterizedTest
    @MethodSource("links")
    void wakeupReachesWaitingThread(Supplier<Link> kind) throws InterruptedException {
        try (Link a = kind.get()) {
            for (int i = 0; i < 200; i++) {
                CountDownLatch ready = new CountDownLatch(1);
                Thread waiter = new Thread(() -> {
                    ready.countDown();
                    a.await(Long.MAX_VALUE);
                });
                waiter.start();
                ready.await();
                if (i % 10 == 0) {
                    Thread.sleep(1);
                }
                a.wakeup();
                waiter.join(Patience.SECONDS * 1000);
                assertThat(waiter.isAlive()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("links")
    @Full
    void linkClosesUnderWaitingThread(Supplier<Link> kind) throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            Link a = kind.get();
            Link b = kind.get();
            AtomicBoolean stop = new AtomicBoolean();
            CountDownLatch ready = new CountDownLatch(2);
            Thread waiter = new Thread(() -> {
                ready.countDown();
                while (!stop.get()) {
                    if (b.await(Long.MAX_VALUE)) {
                        b.poll(p -> {}, 16);
                    }
                }
            });
            Thread sender = new Thread(() -> {
                TxBatch batch = b.newBatch();
                ready.countDown();
                while (!stop.get()) {
                    Traffic.send(batch, a.localGid(), 1, 4);
                    batch.flush();
                }
            });
            waiter.start();
            sender.start();
            ready.await();
            Thread.sleep(i % 3);
            stop.set(true);
            b.close();
            b.close();
            waiter.join(Patience.SECONDS * 1000);
            sender.join(Patience.SECONDS * 1000);
            assertThat(waiter.isAlive()).isFalse();
            assertThat(sender.isAlive()).isFalse();
            assertThat(b.poll(p -> {}, 1)).isZero();
            assertThat(b.await(Long.MAX_VALUE)).isFalse();
            b.wakeup();
            TxBatch late = b.newBatch();
            Traffic.send(late, a.localGid(), 1, 4);
            late.flush();
            assertThat(b.counters().get(LinkCounters.TX_CLOSED)).isPositive();
            a.close();
        }
    }

    @ParameterizedTest
    @MethodSource("links")
    void handlerMayThrowAndClose(Supplier<Link> kind) {
        try (Link a = kind.get();
                Link b = kind.get()) {
            TxBatch batch = a.newBatch();
            for (int i = 0; i < 10; i++) {
                Traffic.send(batch, b.localGid(), i, 4);
            }
            batch.flush();
            b.await(Patience.NANOS);
            assertThatThrownBy(() -> b.poll(
                            p -> {
                                throw new IllegalStateException("handler");
                            },
                            10))
                    .hasMessage("handler");
            assertThat(Traffic.numbers(Traffic.receive(b, 9)))
                    .as("packets after the one that the handler refused")
                    .isEqualTo(IntStream.range(1, 10).boxed().toList());

            Traffic.send(batch, b.localGid(), 10, 4);
            batch.flush();
            b.await(Patience.NANOS);
            assertThat(b.poll(p -> closeFromInside(b), 10)).isOne();
        }
    }

    private static void closeFromInside(Link link) {
        link.close();
    }

    @ParameterizedTest
    @MethodSource("links")
    void groupsReachTheirMembers(Supplier<Link> kind) {
        Gid group = Gid.of(0, 0xffff_ef07_0000L | System.nanoTime() & 0xffff);
        Gid other = Gid.of(0, group.interfaceId() ^ 1);
        try (Link a = kind.get();
                Link b = kind.get();
                Link c = kind.get()) {
            b.joinMulticast(group);
            b.joinMulticast(group);
            c.joinMulticast(group);
            c.joinMulticast(other);
            TxBatch batch = a.newBatch();
            for (int i = 0; i < 3; i++) {
                Traffic.send(batch, group, i, 40);
            }
            Traffic.send(batch, b.localGid(), 3, 40);
            batch.flush();
            List<Traffic.Seen> atB = Traffic.receive(b, 4);
            assertThat(atB.stream().collect(Collectors.toMap(Traffic.Seen::psn, Traffic.Seen::destination)))
                    .isEqualTo(Map.of(0, group, 1, group, 2, group, 3, b.localGid()));
            assertThat(atB).allMatch(s -> s.source().equals(a.localGid()));
            assertThat(Traffic.numbers(Traffic.receive(c, 3))).containsExactly(0, 1, 2);
            assertThat(Traffic.receiveFor(a, 20)).isEmpty();

            b.leaveMulticast(group);
            c.leaveMulticast(group);
            c.leaveMulticast(group);
            Traffic.send(batch, group, 4, 40);
            Traffic.send(batch, other, 5, 40);
            batch.flush();
            assertThat(Traffic.numbers(Traffic.receive(b, 1))).containsExactly(4);
            assertThat(Traffic.numbers(Traffic.receive(c, 1))).containsExactly(5);

            b.leaveMulticast(group);
            Traffic.send(batch, group, 6, 40);
            batch.flush();
            assertThat(Traffic.receiveFor(b, 20)).isEmpty();
            assertThatThrownBy(() -> b.joinMulticast(c.localGid()))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        }
    }

    /** A program polls a completion queue while the device's own thread waits: neither misses what the other leaves. */
    @ParameterizedTest
    @MethodSource("links")
    void oneThreadMayPollWhileAnotherWaits(Supplier<Link> kind) throws InterruptedException {
        int packets = 20_000;
        try (Link a = kind.get();
                Link b = kind.get()) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicBoolean busy = new AtomicBoolean();
            AtomicLong got = new AtomicLong();
            Thread waiter = new Thread(() -> {
                while (!stop.get()) {
                    if (b.await(Long.MAX_VALUE)) {
                        pollAlone(b, busy, got);
                    }
                }
            });
            waiter.start();
            TxBatch batch = a.newBatch();
            for (int i = 0; i < packets; i += 20) {
                for (int k = 0; k < 20; k++) {
                    Traffic.send(batch, b.localGid(), i + k, 64);
                }
                batch.flush();
                pollAlone(b, busy, got);
                long end = System.nanoTime() + Patience.NANOS;
                for (int turn = 0; got.get() < i + 20 && System.nanoTime() < end; turn++) {
                    Patience.pause(turn);
                }
                assertThat(got.get()).isEqualTo(i + 20L);
            }
            stop.set(true);
            b.wakeup();
            waiter.join(Patience.SECONDS * 1000);
            assertThat(waiter.isAlive()).isFalse();
        }
    }

    private static void pollAlone(Link link, AtomicBoolean busy, AtomicLong got) {
        if (busy.compareAndSet(false, true)) {
            try {
                got.addAndGet(link.poll(p -> {}, 3));
            } finally {
                busy.set(false);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("links")
    void joiningAndLeavingDoNotDisturbWaitingThread(Supplier<Link> kind) throws InterruptedException {
        Gid group = Gid.of(0, 0xffff_ef08_0000L | System.nanoTime() & 0xffff);
        try (Link a = kind.get();
                Link b = kind.get()) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicLong got = new AtomicLong();
            Thread waiter = new Thread(() -> {
                while (!stop.get()) {
                    b.await(Long.MAX_VALUE);
                    got.addAndGet(b.poll(p -> {}, 16));
                }
            });
            waiter.start();
            TxBatch batch = a.newBatch();
            for (int i = 0; i < 100; i++) {
                long before = got.get();
                b.joinMulticast(group);
                Traffic.send(batch, group, i, 4);
                batch.flush();
                long end = System.nanoTime() + Patience.NANOS;
                for (int turn = 0; got.get() == before && System.nanoTime() < end; turn++) {
                    Patience.pause(turn);
                }
                assertThat(got.get()).isEqualTo(before + 1);
                b.leaveMulticast(group);
            }
            stop.set(true);
            b.wakeup();
            waiter.join(Patience.SECONDS * 1000);
            assertThat(waiter.isAlive()).isFalse();
        }
    }
}
