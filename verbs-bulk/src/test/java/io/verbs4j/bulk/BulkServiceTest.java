/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.Resources;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.OwnThreads;
import io.verbs4j.testsupport.Patience;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Endpoints with their own thread, which events wake, or which polls if there are none. */
@ParameterizedClass
@EnumSource(
        value = Strategy.class,
        names = {"EVERYTHING", "WRITE_ALONE", "WRITE_ALONE_THERE"})
class BulkServiceTest {
    @Parameter
    Strategy strategy;

    private final Resources resources = new Resources();
    private BulkEndpoint a;
    private BulkEndpoint b;

    @BeforeEach
    void open() {
        a = open(BulkConfig.of(resources.add(strategy.openFirst())));
        b = open(BulkConfig.of(resources.add(strategy.openSecond())).withAddress(new InetSocketAddress(0)));
    }

    private BulkEndpoint open(BulkConfig config) {
        return resources.add(BulkEndpoint.open(config.withProgress(BulkProgress.SERVICE)));
    }

    @AfterEach
    void close() {
        resources.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.isAlive() && thread.getName().equals("bulk-" + Long.toHexString(a.id())));
    }

    private BulkPeer connect() {
        return a.connect(b.address(), Patience.SECONDS, TimeUnit.SECONDS);
    }

    private BulkPeer accepted() {
        for (int turn = 0; b.peer(0) == null; turn++) {
            Patience.pause(turn);
        }
        return b.peer(0);
    }

    private static void next(BulkRing ring, long userData, long result) {
        assertThat(ring.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        int place = ring.peek();
        assertThat(ring.userData(place)).isEqualTo(userData);
        assertThat(ring.result(place)).isEqualTo(result);
        ring.advance(1);
    }

    /** Each side sleeps between the messages. */
    @Test
    void messagesWakeService() throws Exception {
        BulkPeer toB = connect();
        BulkPeer toA = accepted();
        BulkRing ring = a.ring(16);
        BulkRing other = b.ring(16);
        BulkBuffer mine = a.allocate(64);
        BulkBuffer theirs = b.allocate(64);
        CompletableFuture<Void> echo = OwnThreads.run(() -> {
            for (int n = 0; n < 50; n++) {
                other.receive(other.next(), toA, 0, theirs, 0, 64, 1);
                other.submit();
                next(other, 1, 64);
                other.send(other.next(), toA, 0, theirs, 0, 64, 2);
                other.submit();
                next(other, 2, 64);
            }
        });
        for (int n = 0; n < 50; n++) {
            mine.bytes().putInt(0, n);
            ring.send(ring.next(), toB, 0, mine, 0, 64, 1);
            ring.submit();
            next(ring, 1, 64);
            mine.bytes().putInt(0, -1);
            ring.receive(ring.next(), toB, 0, mine, 0, 64, 2);
            ring.submit();
            next(ring, 2, 64);
            assertThat(mine.bytes().getInt(0)).isEqualTo(n);
            if (n % 10 == 0) {
                Thread.sleep(5); // longer than the service spins
            }
        }
        echo.get(Patience.SECONDS, TimeUnit.SECONDS);
    }

    /** A sleep without a wake-up lasts a second. */
    @Test
    void submissionWakesServiceAtOnce() throws Exception {
        BulkRing ring = a.ring(8);
        long least = Long.MAX_VALUE;
        for (int n = 0; n < 5; n++) {
            Thread.sleep(30);
            long start = System.nanoTime();
            ring.nop(ring.next(), n);
            ring.submit();
            next(ring, n, 0);
            least = Math.min(least, System.nanoTime() - start);
        }
        assertThat(least).isLessThan(TimeUnit.MILLISECONDS.toNanos(300));
    }

    /** An idle endpoint that need not poll sleeps for a second. */
    @Test
    void messageEndsSleepSoon() throws Exception {
        BulkPeer toB = connect();
        BulkPeer toA = accepted();
        BulkRing ring = a.ring(8);
        BulkRing other = b.ring(8);
        BulkBuffer mine = a.allocate(64);
        BulkBuffer theirs = b.allocate(64);
        long least = Long.MAX_VALUE;
        for (int n = 0; n < 5; n++) {
            other.receive(other.next(), toA, 0, theirs, 0, 64, n);
            other.submit();
            Thread.sleep(30);
            long start = System.nanoTime();
            ring.send(ring.next(), toB, 0, mine, 0, 64, n);
            ring.submit();
            next(other, n, 64);
            next(ring, n, 64);
            least = Math.min(least, System.nanoTime() - start);
        }
        assertThat(least).isLessThan(TimeUnit.MILLISECONDS.toNanos(300));
    }

    /** Several threads, each with its own ring. */
    @Test
    void threadsSubmitOnTheirOwnRings() throws Exception {
        BulkPeer toB = connect();
        BulkWindow window = b.allocate(1 << 20).window(0, 1 << 20, BulkWindow.READ | BulkWindow.WRITE);
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int thread = t;
            threads.add(OwnThreads.run(() -> {
                BulkRing ring = a.ring(8);
                BulkBuffer buffer = a.allocate(1000);
                for (int n = 1; n <= 200; n++) {
                    buffer.bytes().putLong(0, n);
                    int i = ring.next();
                    ring.put(i, toB, buffer, 0, window.id(), thread * 1000L, 1000, n);
                    ring.flags(i, BulkFlags.LINK | BulkFlags.QUIET);
                    ring.get(ring.next(), toB, buffer, 0, window.id(), thread * 1000L, 1000, -n);
                    ring.submit();
                    next(ring, -n, 1000);
                    assertThat(buffer.bytes().getLong(0)).isEqualTo(n);
                }
            }));
        }
        for (CompletableFuture<Void> thread : threads) {
            thread.get(Patience.SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void futuresCompleteFromAnyThread() throws Exception {
        BulkPeer toB = connect();
        BulkWindow window = b.allocate(100).window(0, 100, BulkWindow.WRITE);
        BulkBuffer mine = a.allocate(1000);
        List<Long> told = new ArrayList<>();
        BulkFutures futures = new BulkFutures(a.ring(8), (userData, result, flags, peer, value) -> {});
        BulkFutures others = new BulkFutures(b.ring(64), (userData, result, flags, peer, value) -> told.add(value));
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> dispatching = OwnThreads.run(() -> {
            while (!ended.get()) {
                futures.dispatch(10, TimeUnit.MILLISECONDS);
            }
        });
        for (int n = 0; n < 50; n++) {
            int number = n;
            BulkCompletion done = futures.submit((ring, i, userData) -> {
                        ring.put(i, toB, mine, 0, window.id(), 0, 100, userData);
                        ring.flags(i, BulkFlags.NOTIFY);
                        ring.value(i, number);
                    })
                    .get(Patience.SECONDS, TimeUnit.SECONDS);
            assertThat(done).isEqualTo(new BulkCompletion(100, 0, n));
        }
        CompletableFuture<BulkCompletion> failed =
                futures.submit((ring, i, userData) -> ring.put(i, toB, mine, 0, window.id(), 0, 101, userData));
        assertThatThrownBy(() -> failed.get(Patience.SECONDS, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(VerbsException.class)
                .rootCause()
                .hasMessageContainingAll("peer 0", "ERANGE");
        ended.set(true);
        dispatching.get(Patience.SECONDS, TimeUnit.SECONDS);
        while (told.size() < 50) {
            others.dispatch(1, TimeUnit.SECONDS);
        }
        assertThat(told).hasSize(50).isSorted();
    }

    @Test
    void waitEndsAfterTimeoutInterruptOrClose() throws Exception {
        BulkRing ring = a.ring(8);
        assertThat(ring.await(20, TimeUnit.MILLISECONDS)).isFalse();
        Thread.currentThread().interrupt();
        assertThat(ring.await(Patience.SECONDS, TimeUnit.SECONDS)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        BulkPeer toB = connect();
        BulkBuffer mine = a.allocate(8);
        ring.receive(ring.next(), toB, 0, mine, 0, 8, 1);
        ring.submit();
        CompletableFuture<Void> waiting = OwnThreads.run(() -> next(ring, 1, -BulkResult.ESHUTDOWN));
        Thread.sleep(20);
        a.close();
        waiting.get(Patience.SECONDS, TimeUnit.SECONDS);
        assertThat(ring.await(Patience.SECONDS, TimeUnit.SECONDS)).isFalse();
        assertThatThrownBy(this::connect)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(BulkResult.ESHUTDOWN));
    }

    /** One endpoint on two devices: its buffers and windows are registered with both. */
    @Test
    void endpointUsesSeveralDevices() {
        List<Device> devices = Verbs.devices();
        List<Context> contexts = List.of(
                resources.add(Verbs.open(devices.get(0), VerbsLevel.CURRENT)),
                resources.add(Verbs.open(devices.get(1), VerbsLevel.CURRENT)));
        BulkEndpoint both = open(BulkConfig.of(contexts.get(0), contexts.get(1)).withAddress(new InetSocketAddress(0)));
        BulkBuffer theirs = both.allocate(100);
        BulkWindow window = theirs.window(0, 100, BulkWindow.WRITE);
        BulkRing ring = b.ring(8);
        BulkBuffer mine = b.allocate(100);
        for (int device = 0; device < 2; device++) {
            InetSocketAddress address = new InetSocketAddress(
                    contexts.get(device).queryGid(1, 0).toInetAddress(),
                    both.address().getPort());
            BulkPeer peer = b.connect(address, Patience.SECONDS, TimeUnit.SECONDS);
            mine.bytes().putInt(0, device + 1);
            ring.put(ring.next(), peer, mine, 0, window.id(), 0, 100, device);
            ring.submit();
            next(ring, device, 100);
            assertThat(theirs.bytes().getInt(0)).isEqualTo(device + 1);
        }
    }

    @Test
    void slabHandsOutChunkOnce() throws Exception {
        BulkSlab slab = a.slab(100, 50);
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int mark = t + 1;
            threads.add(OwnThreads.run(() -> {
                for (int n = 0; n < 5_000; n++) {
                    int chunk = slab.take();
                    if (chunk < 0) {
                        continue;
                    }
                    slab.buffer().bytes().putInt(chunk, mark);
                    Thread.onSpinWait();
                    if (slab.buffer().bytes().getInt(chunk) != mark) {
                        throw new AssertionError("chunk " + chunk + " was taken twice");
                    }
                    slab.give(chunk);
                }
            }));
        }
        for (CompletableFuture<Void> thread : threads) {
            thread.get(Patience.SECONDS, TimeUnit.SECONDS);
        }
        for (int n = 0; n < 50; n++) {
            assertThat(slab.take()).isBetween(0, 4900);
        }
        assertThat(slab.take()).isEqualTo(-1);
        slab.give(700);
        assertThat(slab.take()).isEqualTo(700);
        slab.give(700);
        for (int wrong : new int[] {700, 701, -100, 5000}) {
            assertThatThrownBy(() -> slab.give(wrong))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        }
    }
}
