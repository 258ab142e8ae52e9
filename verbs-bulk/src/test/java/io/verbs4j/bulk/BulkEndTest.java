/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.bulk.Completions.Completion;
import io.verbs4j.bulk.transfer.Breaker;
import io.verbs4j.testsupport.Full;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections and endpoints end: each entry has one final completion, and its memory is not touched afterwards. */
@Full
@ParameterizedClass
@MethodSource("io.verbs4j.bulk.Strategy#chosen")
class BulkEndTest {
    @Parameter
    Strategy strategy;

    /** How a connection ends. */
    enum End {
        PEER_CLOSES,
        PEER_FAILS,
        PEERS_ENDPOINT_CLOSES,
        THIS_SIDE_CLOSES,
        THIS_SIDE_FAILS,
        THIS_ENDPOINT_CLOSES
    }

    private static final int SIZE = 3 << 20;
    private static final int COUNT = 200;

    private static void end(Pair pair, End end) {
        switch (end) {
            case PEER_CLOSES -> pair.toA.close();
            case PEER_FAILS -> pair.toA.link().fail(Errno.EIO);
            case PEERS_ENDPOINT_CLOSES -> pair.b.close();
            case THIS_SIDE_CLOSES -> pair.toB.close();
            case THIS_SIDE_FAILS -> pair.toB.link().fail(Errno.EIO);
            case THIS_ENDPOINT_CLOSES -> pair.a.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachEntryCompletesOnce(End end) {
        for (int seed = 0; seed < 3; seed++) {
            try (Pair pair = new Pair(strategy)) {
                eachEntryCompletesOnce(pair, end, new Random(seed));
            }
        }
    }

    private static void eachEntryCompletesOnce(Pair pair, End end, Random random) {
        BulkBuffer from = pair.a.allocate(SIZE);
        List<BulkBuffer> into = new ArrayList<>();
        BulkBuffer theirs = pair.b.allocate(SIZE);
        BulkWindow window = theirs.window(0, SIZE, BulkWindow.READ | BulkWindow.WRITE);
        for (int n = 0; n < COUNT; n++) {
            int i = pair.aRing.next();
            int length = random.nextInt(4) == 0 ? SIZE / 3 : random.nextInt(6000);
            switch (random.nextInt(5)) {
                case 0 -> pair.aRing.put(i, pair.toB, from, 0, window.id(), 0, length, n);
                case 1 -> pair.aRing.send(i, pair.toB, random.nextInt(3), from, 0, length, n);
                case 2, 3 -> {
                    BulkBuffer buffer = pair.a.allocate(Math.max(1, length));
                    into.add(buffer);
                    if (random.nextBoolean()) {
                        pair.aRing.get(i, pair.toB, buffer, 0, window.id(), 0, length, n);
                    } else {
                        pair.aRing.receive(i, pair.toB, 0, buffer, 0, length, n);
                    }
                }
                default -> pair.aRing.cancel(i, random.nextInt(COUNT), n);
            }
            pair.aRing.flags(i, random.nextInt(2) * BulkFlags.LINK | random.nextInt(2) * BulkFlags.FENCE);
            if (random.nextInt(3) == 0) {
                pair.aRing.submit();
                pair.turnBoth();
            }
        }
        pair.aRing.submit();
        for (int n = random.nextInt(60); n > 0; n--) {
            pair.turnBoth();
        }
        end(pair, end);
        BitSet completed = new BitSet();
        for (int n = 0; n < COUNT; n++) {
            Completion next = pair.next(pair.aDone);
            assertThat(completed.get((int) next.userData()))
                    .as("again: " + next)
                    .isFalse();
            completed.set((int) next.userData());
        }
        for (BulkBuffer buffer : into) {
            byte[] canary = new byte[(int) buffer.length()];
            Arrays.fill(canary, (byte) 0x5a);
            buffer.bytes().put(0, canary);
        }
        for (int n = 0; n < 2000; n++) {
            pair.turnBoth();
        }
        assertThat(pair.aDone.size()).as("further completions").isZero();
        for (BulkBuffer buffer : into) {
            byte[] now = new byte[(int) buffer.length()];
            buffer.bytes().get(0, now);
            for (int n = 0; n < now.length; n++) {
                if (now[n] != 0x5a) {
                    throw new AssertionError("byte " + n + " was touched after the completion");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void receiveEndsWithConnection(End end) {
        try (Pair pair = new Pair(strategy)) {
            BulkBuffer buffer = pair.a.allocate(64);
            int i = pair.aRing.next();
            pair.aRing.receive(i, pair.toB, 0, buffer, 0, 64, 1);
            pair.aRing.submit();
            end(pair, end);
            int errno = switch (end) {
                case PEER_CLOSES, PEER_FAILS, PEERS_ENDPOINT_CLOSES -> Errno.ECONNRESET;
                case THIS_SIDE_CLOSES -> Errno.ECONNABORTED;
                case THIS_SIDE_FAILS -> Errno.EIO;
                case THIS_ENDPOINT_CLOSES -> BulkResult.ESHUTDOWN;
            };
            assertThat(pair.next(pair.aDone).result()).isEqualTo(-errno);
            i = pair.aRing.next();
            pair.aRing.receive(i, pair.toB, 0, buffer, 0, 64, 2);
            pair.aRing.submit();
            assertThat(pair.next(pair.aDone).result())
                    .isEqualTo(end == End.THIS_ENDPOINT_CLOSES ? -BulkResult.ESHUTDOWN : -Errno.ECONNRESET);
        }
    }

    /** Messages that were sent and have completed reach a peer that has posted receives for them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void completedMessagesArriveDespiteClose(boolean endpoint) {
        for (int round = 0; round < 10; round++) {
            try (Pair pair = new Pair(strategy)) {
                BulkBuffer from = pair.a.allocate(64);
                BulkBuffer to = pair.b.allocate(64);
                for (int n = 0; n < 10; n++) {
                    pair.bRing.receive(pair.bRing.next(), pair.toA, 0, to, 0, 64, n);
                }
                pair.bRing.submit();
                for (int n = 0; n < 10; n++) {
                    pair.aRing.send(pair.aRing.next(), pair.toB, 0, from, 0, 64, n);
                }
                pair.aRing.submit();
                while (pair.aDone.size() < 10) {
                    pair.aDone.take(); // the peer's program only does what datagrams need
                    if (strategy.usesDatagrams()) {
                        pair.bRing.submit();
                    }
                }
                if (endpoint) {
                    pair.a.close();
                } else {
                    pair.toB.close();
                }
                for (int n = 0; n < 10; n++) {
                    assertThat(pair.next(pair.bDone).result()).isEqualTo(64);
                }
            }
        }
    }

    @Test
    void closedEndpointRefusesEntriesWithoutException() {
        try (Pair pair = new Pair(strategy)) {
            BulkBuffer buffer = pair.a.allocate(64);
            pair.a.close();
            for (int n = 0; n < 3 * Pair.ENTRIES; n++) { // more than the completion ring has room for
                int i = pair.aRing.next();
                if (i < 0) {
                    break;
                }
                pair.aRing.put(i, pair.toB, buffer, 0, 1, 0, 8, n);
                pair.aRing.submit();
            }
            int n = 0;
            for (int place = pair.aRing.peek(); place >= 0; place = pair.aRing.peek()) {
                assertThat(pair.aRing.result(place)).isEqualTo(-BulkResult.ESHUTDOWN);
                assertThat(pair.aRing.userData(place)).isEqualTo(n++);
                pair.aRing.advance(1);
            }
            assertThat(n).isGreaterThan(2 * Pair.ENTRIES);
            buffer.close();
            pair.a.close();
        }
    }

    @Test
    void listenerGetsPeerUpAndDown() throws Exception {
        CompletableFuture<BulkPeer> up = new CompletableFuture<>();
        CompletableFuture<Integer> down = new CompletableFuture<>();
        BulkListener listener = new BulkListener() {
            @Override
            public void peerUp(BulkPeer peer) {
                up.complete(peer);
            }

            @Override
            public void peerDown(BulkPeer peer, int errno) {
                if (up.isDone() && peer == up.join()) {
                    down.complete(errno);
                }
            }
        };
        try (Pair pair = new Pair(strategy, config -> config.withListener(listener))) {
            assertThat(up.get(60, TimeUnit.SECONDS)).isSameAs(pair.toA);
            assertThat(pair.toA.endpointId()).isEqualTo(pair.a.id());
            assertThat(pair.toB.endpointId()).isEqualTo(pair.b.id());
            pair.toB.close();
            pair.until(down::isDone);
            assertThat(down.get()).isZero();
            assertThat(pair.toA.isOpen()).isFalse();
            pair.until(() -> !pair.toB.isOpen());
            assertThat(pair.b.peer(0)).isNull();
        }
    }

    /** Entries that complete successfully while a queue pair fails have really been done. */
    @Test
    void successfulEntryWasReallyDone() {
        for (int round = 0; round < 10; round++) {
            try (Pair pair = new Pair(strategy, config -> config.withRecovery(0, TimeUnit.SECONDS))) {
                int count = 40;
                int size = 1000;
                BulkBuffer from = pair.a.allocate(count * size);
                BulkBuffer to = pair.b.allocate(count * size);
                BulkWindow window = to.window(0, (long) count * size, BulkWindow.WRITE);
                int first = pair.aRing.next();
                pair.aRing.put(first, pair.toB, from, 0, window.id(), 0, 1, -1);
                pair.aRing.submit();
                assertThat(pair.next(pair.aDone).result()).isEqualTo(1);
                for (int i = 0; i < count * size; i++) {
                    from.bytes().put(i, (byte) (i % 125 + 1));
                }
                for (int n = 0; n < count; n++) {
                    int i = pair.aRing.next();
                    pair.aRing.put(i, pair.toB, from, (long) n * size, window.id(), (long) n * size, size, n);
                    pair.aRing.flags(i, n % 3 == 0 ? BulkFlags.NOTIFY : 0);
                    pair.aRing.value(i, n % 2 == 0 ? 1 : 1L << 40);
                }
                pair.aRing.submit();
                for (int n = 0; n < round; n++) {
                    pair.turnBoth();
                }
                Breaker.breakQueuePair(pair.toB.link());
                for (int n = 0; n < count; n++) {
                    Completions.Completion completion = pair.next(pair.aDone);
                    int at = (int) completion.userData() * size;
                    if (completion.result() >= 0) {
                        assertThat(to.bytes().slice(at, size))
                                .isEqualTo(from.bytes().slice(at, size));
                    }
                }
            }
        }
    }
}
