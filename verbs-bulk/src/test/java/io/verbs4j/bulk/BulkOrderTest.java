/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.verbs4j.Errno;
import io.verbs4j.bulk.Completions.Completion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The guaranteed order of entries, and how entries are stopped. */
@ParameterizedClass
@MethodSource("io.verbs4j.bulk.Strategy#chosen")
class BulkOrderTest {
    @Parameter
    Strategy strategy;

    private static final int SIZE = 1 << 20;

    private Pair pair;
    private BulkRing ring;
    private BulkBuffer mine;
    private BulkBuffer theirs;
    private BulkWindow window;

    @BeforeEach
    void open() {
        pair = new Pair(strategy);
        ring = pair.aRing;
        mine = pair.a.allocate(SIZE);
        theirs = pair.b.allocate(SIZE);
        window = theirs.window(0, SIZE, BulkWindow.READ | BulkWindow.WRITE);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private int put(long userData, long length) {
        int i = ring.next();
        ring.put(i, pair.toB, mine, 0, window.id(), 0, length, userData);
        return i;
    }

    private int receive(long userData, int stream, long length) {
        int i = ring.next();
        ring.receive(i, pair.toB, stream, mine, 0, length, userData);
        return i;
    }

    private int nop(long userData, int flags) {
        int i = ring.next();
        ring.nop(i, userData);
        ring.flags(i, flags);
        return i;
    }

    private void assertNext(long userData, long result) {
        Completion next = pair.next(pair.aDone);
        assertThat(next.userData()).isEqualTo(userData);
        assertThat(next.result())
                .as(next + " " + BulkResult.toString(next.result()))
                .isEqualTo(result);
    }

    private void assertNothingMore() {
        for (int i = 0; i < 500; i++) {
            pair.turnBoth();
        }
        assertThat(pair.aDone.size()).as("completions left").isZero();
    }

    @Test
    void linkedEntriesCompleteInOrder() {
        ring.flags(put(1, SIZE), BulkFlags.LINK);
        int get = ring.next();
        ring.get(get, pair.toB, mine, 0, window.id(), 0, SIZE, 2);
        ring.flags(get, BulkFlags.LINK);
        nop(3, 0);
        nop(4, 0);
        ring.submit();
        assertNext(4, 0); // in no chain
        assertNext(1, SIZE);
        assertNext(2, SIZE);
        assertNext(3, 0);
    }

    @Test
    void failureCancelsRestOfChain() {
        ring.flags(put(1, SIZE + 1), BulkFlags.LINK);
        nop(2, BulkFlags.LINK);
        put(3, 8);
        nop(4, 0);
        ring.submit();
        assertNext(1, -Errno.ERANGE);
        assertNext(2, -Errno.ECANCELED);
        assertNext(3, -Errno.ECANCELED);
        assertNext(4, 0);
    }

    /** Failures may come later, and chains continue in the next batch. */
    @Test
    void chainContinuesInNextBatch() {
        ring.flags(receive(1, 0, 8), BulkFlags.LINK);
        ring.submit();
        nop(2, BulkFlags.LINK);
        ring.submit();
        nop(3, 0);
        ring.submit();
        nop(4, 0);
        ring.submit();
        assertNext(4, 0);
        assertNothingMore();
        int i = ring.next();
        ring.cancel(i, 1, 5);
        ring.submit();
        List<Long> results = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            Completion next = pair.next(pair.aDone);
            results.add(next.userData() * 1000 - next.result());
        }
        long canceled = Errno.ECANCELED;
        assertThat(results).containsExactly(1000 + canceled, 2000 + canceled, 3000 + canceled, 5000L);
        nop(6, BulkFlags.LINK);
        ring.submit();
        assertNext(6, 0);
        nop(7, 0);
        ring.submit();
        assertNext(7, 0);
    }

    @Test
    void longChainOfNopsCompletes() {
        for (int n = 0; n < Pair.ENTRIES; n++) {
            nop(n, n == Pair.ENTRIES - 1 ? 0 : BulkFlags.LINK);
        }
        ring.submit();
        for (int n = 0; n < Pair.ENTRIES; n++) {
            assertNext(n, 0);
        }
    }

    @Test
    void drainAndBarrierWaitForEarlierEntries() {
        for (int round = 0; round < 20; round++) {
            put(1, SIZE);
            put(2, 8);
            if (round % 2 == 0) {
                nop(3, BulkFlags.DRAIN);
            } else {
                ring.barrier(ring.next(), 3);
            }
            nop(4, 0);
            ring.submit();
            Completion first = pair.next(pair.aDone);
            Completion second = pair.next(pair.aDone);
            assertThat(List.of(first.userData(), second.userData())).containsExactlyInAnyOrder(1L, 2L);
            assertNext(3, 0);
            assertNext(4, 0);
        }
    }

    /** A PUT with DRAIN is still alone after it has started. */
    @Test
    void entriesAfterDrainStartWhenItCompletes() {
        ring.flags(put(1, SIZE), BulkFlags.DRAIN);
        nop(2, 0);
        ring.submit();
        assertNext(1, SIZE);
        assertNext(2, 0);
    }

    /** A fenced PUT sends the bytes that an earlier GET in the same batch has read. */
    @Test
    void fencedPutSendsBytesOfEarlierGet() {
        BulkBuffer other = pair.b.allocate(8);
        BulkWindow target = other.window(0, 8, BulkWindow.WRITE);
        for (int round = 1; round <= 50; round++) {
            theirs.bytes().putLong(SIZE - 8, round);
            int get = ring.next();
            ring.get(get, pair.toB, mine, 0, window.id(), 0, SIZE, 1);
            int put = ring.next();
            ring.put(put, pair.toB, mine, SIZE - 8, target.id(), 0, 8, 2);
            ring.flags(put, BulkFlags.FENCE);
            ring.submit();
            assertNext(1, SIZE);
            assertNext(2, 8);
            assertThat(other.bytes().getLong(0)).isEqualTo(round);
        }
    }

    /** The message arrives after the bytes before it, and the next message of the stream after the message. */
    @Test
    void fencedMessageArrivesAfterPut() {
        BulkBuffer messages = pair.b.allocate(64);
        for (int round = 1; round <= 50; round++) {
            for (int n = 0; n < 2; n++) {
                int receive = pair.bRing.next();
                pair.bRing.receive(receive, pair.toA, 1, messages, 0, 8, n);
            }
            pair.bRing.submit();
            mine.bytes().putLong(SIZE - 8, round);
            put(1, SIZE);
            int first = ring.next();
            ring.send(first, pair.toB, 1, mine, 0, 1, 2);
            ring.flags(first, BulkFlags.FENCE);
            int second = ring.next();
            ring.send(second, pair.toB, 1, mine, 0, 2, 3);
            ring.submit();
            assertThat(pair.next(pair.bDone).result()).isEqualTo(1);
            assertThat(theirs.bytes().getLong(SIZE - 8)).isEqualTo(round);
            assertThat(pair.next(pair.bDone).result()).isEqualTo(2);
            pair.until(() -> pair.aDone.size() == 3);
            while (!pair.aDone.isEmpty()) {
                assertThat(pair.aDone.remove().result()).isPositive();
            }
        }
    }

    /** Short and long messages of several streams: each stream keeps its order. */
    @Test
    void streamsKeepOrder() {
        int count = 60;
        BulkBuffer received = pair.b.allocate(3 * count * 5000);
        for (int n = 0; n < count; n++) {
            for (int stream = 0; stream < 3; stream++) {
                int i = pair.bRing.next();
                pair.bRing.receive(i, pair.toA, stream, received, (n * 3 + stream) * 5000L, 5000, n * 3 + stream);
            }
        }
        pair.bRing.submit();
        for (int n = 0; n < count; n++) {
            for (int stream = 0; stream < 3; stream++) {
                int i = ring.next();
                ring.send(i, pair.toB, stream, mine, 0, (n + stream) % 3 == 0 ? 5000 : 10, 0);
                ring.value(i, n * 3 + stream);
            }
        }
        ring.submit();
        boolean[] seen = new boolean[3 * count];
        for (int n = 0; n < 3 * count; n++) {
            Completion next = pair.next(pair.bDone);
            assertThat(next.value()).isEqualTo(next.userData());
            assertThat(seen[(int) next.userData()]).isFalse();
            seen[(int) next.userData()] = true;
        }
        pair.until(() -> pair.aDone.size() == 3 * count);
    }

    @Test
    void quietEntryCompletesOnlyOnFailure() {
        ring.flags(put(1, 8), BulkFlags.QUIET);
        nop(2, BulkFlags.DRAIN);
        ring.flags(put(3, SIZE + 1), BulkFlags.QUIET);
        ring.submit();
        assertNext(2, 0);
        assertNext(3, -Errno.ERANGE);
        assertNothingMore();
    }

    @Test
    void cancelStopsReceive() {
        receive(1, 0, 8);
        int i = ring.next();
        ring.cancel(i, 1, 2);
        ring.submit();
        assertNext(1, -Errno.ECANCELED);
        assertNext(2, 0);
        i = ring.next();
        ring.cancel(i, 1, 3);
        ring.submit();
        assertNext(3, -Errno.ENOENT);
    }

    /** A long message without a receive is withdrawn; the peer's next receive gets the next message. */
    @Test
    void cancelWithdrawsMessage() {
        int i = ring.next();
        ring.send(i, pair.toB, 0, mine, 0, SIZE, 1);
        ring.submit();
        for (int n = 0; n < 500; n++) {
            pair.turnBoth();
        }
        i = ring.next();
        ring.cancel(i, 1, 2);
        ring.submit();
        assertNext(2, 0);
        assertNext(1, -Errno.ECANCELED);
        i = ring.next();
        ring.send(i, pair.toB, 0, mine, 0, 5, 3);
        ring.submit();
        i = pair.bRing.next();
        pair.bRing.receive(i, pair.toA, 0, theirs, 0, SIZE, 4);
        pair.bRing.submit();
        assertThat(pair.next(pair.bDone).result()).isEqualTo(5);
        assertNext(3, 5);
    }

    /** A PUT stopped in its middle has transferred some bytes, and the completion reports how many. */
    @Test
    void cancelStopsLongPutPartway() {
        int length = 64 << 20;
        BulkBuffer large = pair.a.allocate(length);
        BulkBuffer target = pair.b.allocate(length);
        BulkWindow there = target.window(0, length, BulkWindow.WRITE);
        for (int n = 0; n < length; n += 4096) {
            large.bytes().put(n, (byte) 1);
        }
        int i = ring.next();
        ring.put(i, pair.toB, large, 0, there.id(), 0, length, 1);
        ring.submit();
        pair.until(() -> target.bytes().get(1 << 20) == 1);
        i = ring.next();
        ring.cancel(i, 1, 2);
        ring.submit();
        assertNext(2, 0);
        Completion stopped = pair.next(pair.aDone);
        assertThat(stopped.result()).isEqualTo(-Errno.ECANCELED);
        assertThat(stopped.has(BulkResult.PARTIAL)).isTrue();
        assertThat(stopped.value()).isBetween(1L << 20, length - 1L);
        assertThat(target.bytes().get((int) stopped.value() - 4096)).isEqualTo((byte) 1);
        target.bytes().put(new byte[length]);
        assertNothingMore();
        for (int n = 0; n < length; n += 4096) {
            assertThat(target.bytes().get(n))
                    .as("byte %d after the completion", n)
                    .isZero();
        }
    }

    @Test
    void cancelStopsLongGetPartway() {
        int length = 64 << 20;
        BulkBuffer here = pair.a.allocate(length);
        BulkBuffer source = pair.b.allocate(length);
        BulkWindow there = source.window(0, length, BulkWindow.READ);
        source.bytes().put(1 << 20, (byte) 1);
        int i = ring.next();
        ring.get(i, pair.toB, here, 0, there.id(), 0, length, 1);
        ring.submit();
        pair.until(() -> here.bytes().get(1 << 20) == 1);
        i = ring.next();
        ring.cancel(i, 1, 2);
        ring.submit();
        assertNext(2, 0);
        Completion stopped = pair.next(pair.aDone);
        assertThat(stopped.result()).isEqualTo(-Errno.ECANCELED);
        assertThat(stopped.value()).isBetween(1L << 20, length - 1L);
        here.bytes().put(1 << 20, (byte) 0);
        assertNothingMore();
        assertThat(here.bytes().get(1 << 20)).as("after the completion").isZero();
    }

    @Test
    void deadlineStopsEntry() {
        ring.deadline(receive(1, 0, 8), 20);
        ring.flags(receive(2, 0, 8), BulkFlags.LINK);
        ring.deadline(nop(3, 0), 40); // after 2, which has none
        int i = ring.next();
        ring.send(i, pair.toB, 0, mine, 0, SIZE, 4);
        ring.deadline(i, 60);
        ring.submit();
        long start = System.nanoTime();
        Map<Long, Long> ended = new HashMap<>(); // on a busy machine several are late at once, in any order
        for (int k = 0; k < 3; k++) {
            Completion next = pair.next(pair.aDone);
            ended.put(next.userData(), next.result());
        }
        assertThat(System.nanoTime() - start).isGreaterThan(15_000_000);
        long late = -Errno.ETIMEDOUT;
        assertThat(ended).containsOnly(entry(1L, late), entry(3L, late), entry(4L, late));
        assertNothingMore();
        i = ring.next();
        ring.cancel(i, 2, 5);
        ring.submit();
        assertNext(2, -Errno.ECANCELED);
        assertNext(5, 0);
    }
}
