/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.bulk.Completions.Completion;
import io.verbs4j.rxedv.RxeDv;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** More data than the peer has room for: everything waits, nothing is lost, and receives never run out. */
@ParameterizedClass
@MethodSource("io.verbs4j.bulk.Strategy#chosen")
class BulkFlowTest {
    @Parameter
    Strategy strategy;

    private static final int COUNT = 400;

    private static long receiverNotReady(Context context) {
        return context.vendor(RxeDv.class).counters().entrySet().stream()
                .filter(counter -> counter.getKey().contains("rnr"))
                .peek(counter -> assertThat(counter.getKey()).isIn("rx_rnr_nak", "tx_rnr_nak"))
                .mapToLong(counter -> counter.getValue())
                .sum();
    }

    private static void assertNeverNotReady(Pair pair) {
        assertThat(pair.aContext.vendor(RxeDv.class).counters()).containsKeys("rx_rnr_nak", "tx_rnr_nak");
        assertThat(receiverNotReady(pair.aContext) + receiverNotReady(pair.bContext))
                .as("NAKs for receives that were missing")
                .isZero();
    }

    private static void fill(
            Pair pair, BulkRing ring, Completions done, BulkPeer peer, BulkBuffer buffer, boolean send) {
        for (int n = 0; n < COUNT; n++) {
            int place = ring.next();
            while (place < 0) {
                ring.submit();
                pair.turnBoth();
                place = ring.next();
            }
            int length = n % 7 == 0 ? 5000 : n % 100;
            if (send) {
                ring.send(place, peer, n % 3, buffer, 0, length, n);
                ring.value(place, n);
            } else {
                ring.receive(place, peer, n % 3, buffer, 0, 5000, 1000 + n);
            }
        }
        ring.submit();
        done.take();
    }

    /** Both sides send, and neither receives before all messages are submitted. */
    @ParameterizedTest
    @ValueSource(ints = {8, 9, 32})
    void bothSidesMaySendBeforeReceiving(int slots) {
        try (Pair pair = new Pair(strategy, config -> config.withSlots(slots).withPieceBytes(4096))) {
            BulkBuffer a = pair.a.allocate(5000);
            BulkBuffer b = pair.b.allocate(5000);
            fill(pair, pair.aRing, pair.aDone, pair.toB, a, true);
            fill(pair, pair.bRing, pair.bDone, pair.toA, b, true);
            for (int n = 0; n < 500; n++) {
                pair.turnBoth();
            }
            fill(pair, pair.aRing, pair.aDone, pair.toB, a, false);
            fill(pair, pair.bRing, pair.bDone, pair.toA, b, false);
            pair.until(() -> pair.aDone.size() >= 2 * COUNT && pair.bDone.size() >= 2 * COUNT);
            assertAll(pair.aDone);
            assertAll(pair.bDone);
            assertNeverNotReady(pair);
        }
    }

    private static void assertAll(Completions done) {
        assertThat(done.size()).isEqualTo(2 * COUNT);
        while (!done.isEmpty()) {
            Completion next = done.remove();
            assertThat(next.result()).isNotNegative();
            if (next.userData() >= 1000) {
                assertThat(next.value()).isEqualTo(next.userData() - 1000);
            }
        }
    }

    /** Notifications that the program does not take block the peer, and none is lost. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1L << 40})
    void untakenNotificationsBlockPeerWithoutLoss(long base) {
        try (Pair pair = new Pair(strategy, config -> config.withSlots(8), 16)) {
            BulkBuffer from = pair.a.allocate(8);
            BulkWindow window = pair.b.allocate(8).window(0, 8, BulkWindow.WRITE);
            int count = 200;
            int submitted = 0;
            long start = System.nanoTime();
            for (int turn = 0; turn < 3000 || pair.aDone.size() < 32; turn++) {
                assertThat(System.nanoTime() - start).isLessThan(Patience.NANOS);
                int i = submitted < count ? pair.aRing.next() : -1;
                if (i >= 0) {
                    pair.aRing.put(i, pair.toB, from, 0, window.id(), 0, 8, submitted);
                    pair.aRing.flags(i, BulkFlags.NOTIFY);
                    pair.aRing.value(i, base + submitted++);
                }
                pair.aRing.submit();
                pair.aDone.take();
                pair.bRing.submit(); // drives, and takes nothing
            }
            assertThat(pair.aDone.size()).as("completed").isBetween(32, count - 1);
            for (int expected = 0; expected < count; expected++) {
                int i = submitted < count ? pair.aRing.next() : -1;
                if (i >= 0) {
                    pair.aRing.put(i, pair.toB, from, 0, window.id(), 0, 8, submitted);
                    pair.aRing.flags(i, BulkFlags.NOTIFY);
                    pair.aRing.value(i, base + submitted++);
                    pair.aRing.submit();
                }
                assertThat(pair.next(pair.bDone).value()).isEqualTo(base + expected);
            }
            assertNeverNotReady(pair);
        }
    }

    /** A long transfer to one peer does not block others. */
    @Test
    void longTransferDoesNotBlockOtherPeers() {
        try (Pair pair = new Pair(strategy)) {
            int length = 128 << 20;
            BulkBuffer from = pair.a.allocate(length);
            BulkBuffer to = pair.b.allocate(length);
            BulkWindow window = to.window(0, length, BulkWindow.WRITE);
            BulkPeer second = pair.a.connect(pair.b.address(), 60, TimeUnit.SECONDS);
            int i = pair.aRing.next();
            pair.aRing.put(i, pair.toB, from, 0, window.id(), 0, length, 1);
            pair.aRing.submit();
            for (int n = 0; n < 20; n++) {
                i = pair.aRing.next();
                pair.aRing.put(i, second, from, 0, window.id(), 0, 1 << 20, 2);
            }
            pair.aRing.submit();
            List<Long> order = new ArrayList<>();
            for (int n = 0; n < 21; n++) {
                order.add(pair.next(pair.aDone).userData());
            }
            assertThat(order.get(20)).as("the long transfer completes last").isEqualTo(1);
        }
    }

    /** The endpoint checks the completion queue for room before each connection. */
    @Test
    void completionQueueHasRoomForManyPeers() {
        try (Pair pair = new Pair(strategy)) {
            BulkBuffer from = pair.a.allocate(1 << 20);
            BulkBuffer to = pair.b.allocate(1 << 20);
            BulkWindow window = to.window(0, 1 << 20, BulkWindow.WRITE);
            List<BulkPeer> peers = new ArrayList<>(List.of(pair.toB));
            for (int n = 0; n < 15; n++) {
                peers.add(pair.a.connect(pair.b.address(), 60, TimeUnit.SECONDS));
            }
            int rounds = 12;
            for (int round = 0; round < rounds; round++) {
                for (BulkPeer peer : peers) {
                    int i = pair.aRing.next();
                    pair.aRing.put(i, peer, from, 0, window.id(), 0, 1 + round * 50_000, peer.id());
                    pair.aRing.flags(i, BulkFlags.NOTIFY);
                }
                pair.aRing.submit();
            }
            pair.until(() -> pair.aDone.size() == rounds * peers.size() && pair.bDone.size() == rounds * peers.size());
            while (!pair.aDone.isEmpty()) {
                assertThat(pair.aDone.remove().result()).isPositive();
            }
            assertNeverNotReady(pair);
        }
    }
}
