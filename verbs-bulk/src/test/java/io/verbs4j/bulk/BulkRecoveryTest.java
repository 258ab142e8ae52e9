/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.bulk.transfer.Breaker;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queue pairs fail: the connection is restored, and every entry is done once. */
@Full
@ParameterizedClass
@MethodSource("io.verbs4j.bulk.Strategy#chosen")
class BulkRecoveryTest {
    private static final int COUNT = 150;
    private static final int LOSSES = 12;

    @Parameter
    Strategy strategy;

    private static BulkConfig settings(BulkConfig config) {
        return config.withRecovery(Patience.SECONDS, TimeUnit.SECONDS)
                .withPieceBytes(4096)
                .withSlots(16);
    }

    private static long count(List<String> events, String wanted) {
        return events.stream().filter(wanted::equals).count();
    }

    private static void assertRecovers(Pair pair, int losses) {
        pair.until(() -> pair.toA.reconnections() >= losses
                && pair.toB.reconnections() >= losses
                && !pair.toA.isRecovering()
                && !pair.toB.isRecovering());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void entriesAreDoneOnceDespiteLostConnections(long seed) {
        Random random = new Random(seed);
        try (Pair pair = new Pair(strategy, BulkRecoveryTest::settings)) {
            ChaosSide a = new ChaosSide(pair.a, pair.aRing, pair.toB, COUNT, seed * 2);
            ChaosSide b = new ChaosSide(pair.b, pair.bRing, pair.toA, COUNT, seed * 2 + 1);
            a.other = b;
            b.other = a;
            int losses = 0;
            long start = System.nanoTime();
            int next = random.nextInt(40);
            while (!a.isDone() || !b.isDone()) {
                assertThat(System.nanoTime() - start).as("a: %s, b: %s", a, b).isLessThan(Patience.NANOS);
                BulkPeer victim = random.nextBoolean() ? pair.toA : pair.toB;
                if (losses < LOSSES && Breaker.isUp(pair.toA.link()) && Breaker.isUp(pair.toB.link()) && next-- == 0) {
                    Breaker.breakQueuePair(victim.link());
                    losses++;
                    next = random.nextInt(40);
                }
                a.step();
                b.step();
            }
            assertThat(pair.toA.reconnections()).isPositive();
            for (int n = 0; n < 500; n++) {
                pair.turnBoth();
            }
            a.assertCanaries();
            b.assertCanaries();
        }
    }

    @Test
    void idleConnectionRecovers() {
        List<String> events = new CopyOnWriteArrayList<>();
        BulkListener listener = new BulkListener() {
            @Override
            public void peerRecovering(BulkPeer peer) {
                events.add("recovering");
            }

            @Override
            public void peerRecovered(BulkPeer peer) {
                events.add("recovered");
            }

            @Override
            public void peerDown(BulkPeer peer, int errno) {
                events.add("down");
            }
        };
        try (Pair pair = new Pair(strategy, config -> config.withListener(listener))) {
            for (int n = 1; n <= 3; n++) {
                int wanted = n;
                pair.until(() -> Breaker.isUp(pair.toA.link()) && Breaker.isUp(pair.toB.link()));
                Breaker.breakQueuePair(pair.toA.link());
                Breaker.breakQueuePair(pair.toB.link());
                int i = pair.aRing.next();
                pair.aRing.send(i, pair.toB, 0, pair.a.allocate(8), 0, 8, n);
                pair.aRing.submit();
                pair.bRing.receive(pair.bRing.next(), pair.toA, 0, pair.b.allocate(8), 0, 8, n);
                pair.bRing.submit();
                assertRecovers(pair, wanted);
                assertThat(pair.next(pair.aDone).result()).isEqualTo(8);
                assertThat(pair.next(pair.bDone).result()).isEqualTo(8);
            }
            pair.until(
                    () -> count(events, "recovered") >= 6 && count(events, "recovered") == count(events, "recovering"));
            assertThat(events).doesNotContain("down");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void connectionEndsAtOnceUnlessBothSidesRecover(boolean first) {
        boolean[] once = {first};
        UnaryOperator<BulkConfig> settings = config -> {
            boolean off = once[0];
            once[0] = !off;
            return off ? config.withRecovery(0, TimeUnit.SECONDS) : config;
        };
        try (Pair pair = new Pair(strategy, settings)) {
            BulkBuffer buffer = pair.a.allocate(64);
            pair.aRing.receive(pair.aRing.next(), pair.toB, 0, buffer, 0, 64, 1);
            pair.aRing.submit();
            Breaker.breakQueuePair(pair.toB.link());
            pair.aRing.send(pair.aRing.next(), pair.toB, 0, buffer, 0, 64, 2);
            pair.aRing.submit();
            assertThat(pair.next(pair.aDone).result()).isEqualTo(-Errno.ECONNRESET);
            assertThat(pair.next(pair.aDone).result()).isEqualTo(-Errno.ECONNRESET);
            pair.until(() -> !pair.toA.isOpen() && !pair.toB.isOpen());
            assertThat(pair.toB.reconnections()).isZero();
        }
    }

    /** The side that had connected learns that the other one no longer knows the connection. */
    @Test
    void peerThatGaveUpIsNoticedAtOnce() {
        try (Pair pair = new Pair(strategy, BulkRecoveryTest::settings)) {
            BulkBuffer buffer = pair.a.allocate(64);
            pair.aRing.receive(pair.aRing.next(), pair.toB, 0, buffer, 0, 64, 1);
            pair.aRing.submit();
            pair.toA.link().fail(Errno.EIO);
            assertThat(pair.next(pair.aDone).result()).isEqualTo(-Errno.ECONNRESET);
            pair.until(() -> !pair.toB.isOpen());
        }
    }

    /** The side that was connected to waits no longer than configured. */
    @Test
    void missingPeerIsGivenUp() {
        try (Pair pair = new Pair(strategy, config -> config.withRecovery(300, TimeUnit.MILLISECONDS))) {
            BulkBuffer buffer = pair.b.allocate(64);
            pair.bRing.receive(pair.bRing.next(), pair.toA, 0, buffer, 0, 64, 1);
            pair.bRing.submit();
            pair.toB.link().fail(Errno.EIO);
            pair.until(() -> pair.toA.isRecovering() || !pair.bDone.isEmpty());
            assertThat(pair.next(pair.bDone).result()).isEqualTo(-Errno.ECONNRESET);
            pair.until(() -> !pair.toA.isOpen());
            assertThat(pair.toA.reconnections()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closingEndsRecoveringConnection(boolean endpoint) {
        try (Pair pair = new Pair(strategy, BulkRecoveryTest::settings)) {
            BulkBuffer buffer = pair.a.allocate(64);
            pair.aRing.receive(pair.aRing.next(), pair.toB, 0, buffer, 0, 64, 1);
            pair.aRing.submit();
            Breaker.breakQueuePair(pair.toB.link());
            pair.aRing.send(pair.aRing.next(), pair.toB, 0, buffer, 0, 64, 2);
            pair.aRing.submit();
            pair.until(pair.toB::isRecovering);
            int errno = endpoint ? BulkResult.ESHUTDOWN : Errno.ECONNABORTED;
            if (endpoint) {
                pair.a.close();
            } else {
                pair.toB.close();
            }
            assertThat(pair.next(pair.aDone).result()).isEqualTo(-errno);
            assertThat(pair.next(pair.aDone).result()).isEqualTo(-errno);
            pair.until(() -> !pair.toB.isOpen());
        }
    }

    /** A late request of an old epoch does not disturb the connection. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void oldEpochIsRejected(int epoch) {
        try (Pair pair = new Pair(strategy, BulkRecoveryTest::settings)) {
            // A connection that breaks before both sides know each other ends.
            pair.until(() -> pair.toA.link().recovery().policy() != null
                    && pair.toB.link().recovery().policy() != null);
            for (int n = 1; n <= 2; n++) {
                int wanted = n;
                Breaker.breakQueuePair(pair.toA.link());
                Breaker.breakQueuePair(pair.toB.link());
                pair.aRing.send(pair.aRing.next(), pair.toB, 0, pair.a.allocate(8), 0, 8, n);
                pair.aRing.submit();
                pair.bRing.send(pair.bRing.next(), pair.toA, 0, pair.b.allocate(8), 0, 8, n);
                pair.bRing.submit();
                assertRecovers(pair, wanted);
            }
            int reconnections = pair.toA.reconnections();
            assertThat(pair.toB.link().recovery().epoch()).isGreaterThanOrEqualTo(3);
            assertThat(Redial.reason(pair, strategy, epoch)).contains("no such connection");
            for (int n = 0; n < 500; n++) {
                pair.turnBoth();
            }
            assertThat(pair.toA.reconnections()).isEqualTo(reconnections);
            assertThat(pair.toA.isRecovering()).isFalse();
        }
    }
}
