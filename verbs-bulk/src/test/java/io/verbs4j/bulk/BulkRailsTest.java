/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.bulk.model.Removal.Manner;
import io.verbs4j.bulk.transfer.Breaker;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections with several queue pairs, each on another device. */
@ParameterizedClass
@EnumSource(names = {"RAILS", "RAILS_WITHOUT_READ", "RAILS_WRITE_ALONE"})
class BulkRailsTest {
    private static final int PIECE = 4096;
    private static final int LENGTH = 200_000;
    private static final int LENGTH_IN_PIECES = (LENGTH + PIECE - 1) / PIECE;
    private static final int COUNT = 150;
    private static final int LOSSES = 12;
    private static final long OFFERED_AGAIN = TimeUnit.MILLISECONDS.toNanos(1500);

    @Parameter
    Strategy strategy;

    private static BulkConfig settings(BulkConfig config) {
        return config.withPieceBytes(PIECE).withSlots(16).withRecovery(Patience.SECONDS, TimeUnit.SECONDS);
    }

    private Pair pair() {
        Pair pair = new Pair(strategy, BulkRailsTest::settings);
        awaitRails(pair);
        return pair;
    }

    private static void awaitRails(Pair pair) {
        pair.until(() -> pair.toA.rails() == 2 && pair.toB.rails() == 2);
    }

    private enum Way {
        PUT,
        GET,
        SEND
    }

    /** Lets {@code a} move bytes; returns how many requests used the rail. */
    private static int move(Pair pair, Way way, int flags) {
        Canaries from = new Canaries(way == Way.GET ? pair.b : pair.a, LENGTH).fill(flags);
        Canaries to = new Canaries(way == Way.GET ? pair.a : pair.b, LENGTH);
        int before = Breaker.railRequests(pair.toB.link(), 1) + Breaker.railRequests(pair.toA.link(), 1);
        int i = pair.aRing.next();
        switch (way) {
            case PUT -> {
                BulkWindow window = to.buffer.window(Canaries.MARGIN, LENGTH, BulkWindow.WRITE);
                pair.aRing.put(i, pair.toB, from.buffer, Canaries.MARGIN, window.id(), 0, LENGTH, 1);
            }
            case GET -> {
                BulkWindow window = from.buffer.window(Canaries.MARGIN, LENGTH, BulkWindow.READ);
                pair.aRing.get(i, pair.toB, to.buffer, Canaries.MARGIN, window.id(), 0, LENGTH, 1);
            }
            default -> {
                pair.aRing.send(i, pair.toB, 0, from.buffer, Canaries.MARGIN, LENGTH, 1);
                int r = pair.bRing.next();
                pair.bRing.receive(r, pair.toA, 0, to.buffer, Canaries.MARGIN, LENGTH, 2);
                pair.bRing.submit();
            }
        }
        pair.aRing.flags(i, flags);
        pair.aRing.submit();
        assertThat(pair.next(pair.aDone).result()).isEqualTo(LENGTH);
        if (way == Way.SEND || (flags & BulkFlags.NOTIFY) != 0) {
            pair.next(pair.bDone);
        }
        to.assertMargins();
        assertThat(to.part()).isEqualTo(from.part());
        return Breaker.railRequests(pair.toB.link(), 1) + Breaker.railRequests(pair.toA.link(), 1) - before;
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void longTransfersAreSpreadOverRails(Way way) {
        try (Pair pair = pair()) {
            int unused = move(pair, way, 0); // teaches the keys of a rail
            if (way == Way.PUT || strategy.reads()) {
                assertThat(move(pair, way, 0)).isBetween(LENGTH_IN_PIECES / 4, LENGTH_IN_PIECES * 3 / 4);
            } else {
                assertThat(move(pair, way, 0)).isZero();
            }
        }
    }

    @Test
    void fencedTransferIsNotSpread() {
        try (Pair pair = pair()) {
            int unused = move(pair, Way.PUT, 0);
            assertThat(move(pair, Way.PUT, BulkFlags.FENCE)).isZero();
        }
    }

    private static void breakSometimes(Random random, Pair pair, int[] state) {
        if (state[0] >= LOSSES || state[1]-- > 0) {
            return;
        }
        BulkPeer victim = random.nextBoolean() ? pair.toA : pair.toB;
        if (random.nextInt(4) > 0) {
            state[0] += Breaker.breakRail(victim.link(), 1) ? 1 : 0;
        } else if (Breaker.isUp(pair.toA.link()) && Breaker.isUp(pair.toB.link())) {
            Breaker.breakQueuePair(victim.link());
            state[0]++;
        }
        state[1] = random.nextInt(60);
    }

    @Full
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void entriesAreDoneOnceDespiteLostRailsAndConnections(long seed) {
        Random random = new Random(seed);
        try (Pair pair = pair()) {
            ChaosSide a = new ChaosSide(pair.a, pair.aRing, pair.toB, COUNT, seed * 2);
            ChaosSide b = new ChaosSide(pair.b, pair.bRing, pair.toA, COUNT, seed * 2 + 1);
            a.other = b;
            b.other = a;
            int[] state = {0, random.nextInt(40)};
            long start = System.nanoTime();
            while (!a.isDone() || !b.isDone()) {
                assertThat(System.nanoTime() - start).as("a: %s, b: %s", a, b).isLessThan(Patience.NANOS);
                breakSometimes(random, pair, state);
                a.step();
                b.step();
            }
            assertThat(state[0]).isPositive();
            for (int n = 0; n < 500; n++) {
                pair.turnBoth();
            }
            a.assertCanaries();
            b.assertCanaries();
            assertThat(pair.toB.isOpen()).isTrue();
        }
    }

    @Test
    void lostRailIsRestored() {
        try (Pair pair = pair()) {
            assertThat(Breaker.breakRail(pair.toA.link(), 1)).isTrue();
            assertThat(move(pair, Way.PUT, 0)).isNotNegative();
            pair.until(() -> pair.toA.rails() == 1 && pair.toB.rails() == 1);
            assertThat(move(pair, Way.PUT, 0)).isZero();
            awaitRails(pair);
            int unused = move(pair, Way.PUT, 0);
            assertThat(move(pair, Way.PUT, 0)).isPositive();
            assertThat(pair.toB.reconnections()).isZero();
        }
    }

    @Test
    void railsAreRestoredWithConnection() {
        try (Pair pair = pair()) {
            int unused = move(pair, Way.PUT, 0);
            Breaker.breakQueuePair(pair.toB.link());
            unused += move(pair, Way.PUT, 0); // without receives, the loss is not noticed before
            pair.until(() -> pair.toA.reconnections() == 1 && pair.toB.reconnections() == 1);
            awaitRails(pair);
            assertThat(move(pair, Way.PUT, 0) + move(pair, Way.PUT, 0)).isPositive();
        }
    }

    @Test
    void singleRailUsesOneQueuePair() {
        try (Pair pair = new Pair(strategy, config -> settings(config).withRails(1))) {
            int unused = move(pair, Way.PUT, 0);
            assertThat(pair.toA.rails()).isEqualTo(1);
            assertThat(pair.toB.rails()).isEqualTo(1);
        }
    }

    private static void putEight(LossPair pair, Canaries from, BulkWindow window) {
        for (int n = 0; n < 8; n++) {
            pair.a.ring.put(pair.a.ring.next(), pair.a.peer, from.buffer, Canaries.MARGIN, window.id(), 0, LENGTH, n);
        }
        pair.a.ring.submit();
    }

    /** The device of the connection itself is not lost. */
    @ParameterizedTest
    @EnumSource(Manner.class)
    void connectionSurvivesLostDeviceOfRail(Manner manner) {
        try (LossPair pair = new LossPair(strategy, 2, true, BulkRailsTest::settings)) {
            pair.until(() -> pair.a.peer.rails() == 2 && pair.b.peer.rails() == 2);
            LossPair.Side side = manner == Manner.SILENT ? pair.a : pair.b;
            Canaries from = new Canaries(pair.a.endpoint, LENGTH).fill(1);
            Canaries to = new Canaries(pair.b.endpoint, LENGTH);
            BulkWindow window = to.buffer.window(Canaries.MARGIN, LENGTH, BulkWindow.WRITE);
            putEight(pair, from, window);
            for (int n = 0; n < 30; n++) {
                int unused = pair.turn();
            }
            Context lost = side.remove(1 - side.device(), manner);
            putEight(pair, from, window);
            for (int n = 0; n < 16; n++) {
                assertThat(pair.next(pair.a).result()).isEqualTo(LENGTH);
            }
            assertThat(to.part()).isEqualTo(from.part());
            pair.until(() -> side.told.contains(lost) && pair.a.peer.rails() == 1 && pair.b.peer.rails() == 1);
            long start = System.nanoTime();
            pair.until(() -> System.nanoTime() - start > OFFERED_AGAIN); // without success
            side.replace(lost, pair.another(side, 1));
            pair.until(() -> pair.a.peer.rails() == 2 && pair.b.peer.rails() == 2);
            assertThat(pair.a.peer.reconnections()).isZero();
            assertThat(pair.b.peer.reconnections()).isZero();
        }
    }
}
