/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static io.verbs4j.bulk.Canaries.MARGIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.bulk.Completions.Completion;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each operation with sizes around those of slots and pieces. */
@ParameterizedClass
@EnumSource(Strategy.class)
class BulkSizesTest {
    private static final int EAGER = 4032;
    private static final int CHUNK = 64 << 10;
    private static final int PIECE = 1 << 20;

    private static Pair pair;

    @Parameter
    Strategy strategy;

    @BeforeParameterizedClassInvocation
    static void open(Strategy by) {
        pair = new Pair(by);
    }

    @AfterParameterizedClassInvocation
    static void close() {
        pair.close();
    }

    private static void assertMoved(Canaries from, Canaries to) {
        assertThat(to.part()).isEqualTo(from.part());
        from.assertMargins();
        to.assertMargins();
    }

    /** Returns a window of at least one byte, as windows require. */
    private static BulkWindow window(Canaries of, int rights) {
        return of.buffer.window(0, of.length + 2 * MARGIN, rights);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 8, EAGER - 1, EAGER, EAGER + 1, CHUNK, CHUNK + 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5})
    void putNotifiesPeer(int size) {
        Canaries from = new Canaries(pair.a, size).fill(1);
        Canaries to = new Canaries(pair.b, size);
        BulkWindow window = window(to, BulkWindow.WRITE);
        for (long value : new long[] {7, 1L << 40}) { // by the last write, and by a message
            int i = pair.aRing.next();
            pair.aRing.put(i, pair.toB, from.buffer, MARGIN, window.id(), MARGIN, size, 42);
            pair.aRing.flags(i, BulkFlags.NOTIFY);
            pair.aRing.value(i, value);
            pair.aRing.submit();
            assertThat(pair.next(pair.bDone))
                    .isEqualTo(new Completion(0, 0, BulkResult.NOTIFY_ARRIVED, pair.toA.id(), value));
            assertMoved(from, to);
            assertThat(pair.next(pair.aDone))
                    .isEqualTo(new Completion(42, size, strategy.put(size), pair.toB.id(), value));
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 8, EAGER - 1, EAGER, EAGER + 1, CHUNK, CHUNK + 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5})
    void putCompletesWhenPlaced(int size) {
        Canaries from = new Canaries(pair.a, size).fill(2);
        Canaries to = new Canaries(pair.b, size);
        BulkWindow window = window(to, BulkWindow.WRITE);
        int i = pair.aRing.next();
        pair.aRing.put(i, pair.toB, from.buffer, MARGIN, window.id(), MARGIN, size, 42);
        pair.aRing.submit();
        assertThat(pair.next(pair.aDone)).isEqualTo(new Completion(42, size, strategy.put(size), pair.toB.id(), 0));
        assertMoved(from, to);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 8, EAGER - 1, EAGER, EAGER + 1, CHUNK, CHUNK + 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5})
    void getReadsRemoteBytes(int size) {
        Canaries from = new Canaries(pair.b, size).fill(3);
        Canaries to = new Canaries(pair.a, size);
        BulkWindow window = window(from, BulkWindow.READ);
        int i = pair.aRing.next();
        pair.aRing.get(i, pair.toB, to.buffer, MARGIN, window.id(), MARGIN, size, 43);
        pair.aRing.flags(i, BulkFlags.NOTIFY);
        pair.aRing.value(i, 9);
        pair.aRing.submit();
        assertThat(pair.next(pair.aDone)).isEqualTo(new Completion(43, size, strategy.fetched(size), pair.toB.id(), 9));
        assertMoved(from, to);
        assertThat(pair.next(pair.bDone)).isEqualTo(new Completion(0, 0, BulkResult.NOTIFY_ARRIVED, pair.toA.id(), 9));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 8, EAGER - 1, EAGER, EAGER + 1, CHUNK, CHUNK + 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5})
    void receivePostedBeforeSendGetsMessage(int size) {
        Canaries from = new Canaries(pair.a, size).fill(4);
        Canaries to = new Canaries(pair.b, size);
        receive(to);
        send(from);
        assertExchanged(from, to);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 8, EAGER - 1, EAGER, EAGER + 1, CHUNK, CHUNK + 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5})
    void messageWaitsForReceive(int size) {
        Canaries from = new Canaries(pair.a, size).fill(5);
        Canaries to = new Canaries(pair.b, size);
        send(from);
        for (int i = 0; i < 1000; i++) {
            pair.turnBoth(); // the message arrives and waits
        }
        receive(to);
        assertExchanged(from, to);
    }

    private static void send(Canaries from) {
        int i = pair.aRing.next();
        pair.aRing.send(i, pair.toB, 3, from.buffer, MARGIN, from.length, 44);
        pair.aRing.value(i, -5);
        pair.aRing.submit();
    }

    private static void receive(Canaries to) {
        int i = pair.bRing.next();
        pair.bRing.receive(i, pair.toA, 3, to.buffer, MARGIN, to.length, 45);
        pair.bRing.submit();
    }

    private void assertExchanged(Canaries from, Canaries to) {
        int size = from.length;
        int copied = size > 0 && size <= EAGER ? BulkResult.COPIED : strategy.fetched(size);
        assertThat(pair.next(pair.bDone)).isEqualTo(new Completion(45, size, copied, pair.toA.id(), -5));
        assertMoved(from, to);
        assertThat(pair.next(pair.aDone)).isEqualTo(new Completion(44, size, 0, pair.toB.id(), -5));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5})
    void copyMovesLocalBytes(int size) {
        Canaries from = new Canaries(pair.a, size).fill(6);
        Canaries to = new Canaries(pair.a, size);
        int i = pair.aRing.next();
        pair.aRing.copy(i, from.buffer, MARGIN, to.buffer, MARGIN, size, 46);
        pair.aRing.submit();
        assertThat(pair.next(pair.aDone)).isEqualTo(new Completion(46, size, 0, 0, 0));
        assertMoved(from, to);
    }
}
