/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/**
 * One side of a chaos test: does random transfers and checks their results. Fills the memory of completed entries with
 * canaries.
 */
final class ChaosSide {
    private static final int AREA = 40_000;
    private static final int STREAMS = 3;
    private static final byte CANARY = 0x5a;
    private static final long LONG_VALUE = 1L << 40;
    private static final int RECEIVE = 1 << 20;

    private final Random random;
    private final BulkRing ring;
    private final BulkPeer peer;
    private final int count;
    private final int[] lengths;
    private final BulkBuffer out;
    private final BulkBuffer in;
    private final BulkBuffer received;
    private final BulkBuffer target;
    private final BulkWindow outWindow;
    private final BulkWindow targetWindow;
    private final BitSet done = new BitSet();
    private final BitSet notified = new BitSet();
    private final BitSet expected = new BitSet();
    private final BitSet put = new BitSet();
    private final BitSet got = new BitSet();
    private final BitSet taken = new BitSet();
    private final List<Integer> sent = new ArrayList<>();
    private int submitted;
    private int receives;
    private int replayed;
    ChaosSide other;

    ChaosSide(BulkEndpoint endpoint, BulkRing ring, BulkPeer peer, int count, long seed) {
        random = new Random(seed);
        this.ring = ring;
        this.peer = peer;
        this.count = count;
        lengths = random.ints(count, 0, 4)
                .map(kind -> kind == 0 ? random.nextInt(AREA + 1) : random.nextInt(6000))
                .toArray();
        out = endpoint.allocate(count * AREA);
        byte[] bytes = new byte[count * AREA];
        random.nextBytes(bytes);
        out.bytes().put(0, bytes);
        in = endpoint.allocate(count * AREA);
        received = endpoint.allocate(count * AREA);
        target = endpoint.allocate(count * AREA);
        outWindow = out.window(0, (long) count * AREA, BulkWindow.READ);
        targetWindow = target.window(0, (long) count * AREA, BulkWindow.WRITE);
    }

    /** Submits some entries and takes completions. */
    void step() {
        int burst = random.nextInt(4);
        while (submitted < count && burst-- > 0) {
            int i = ring.next();
            if (i < 0) {
                break;
            }
            submit(i, submitted++);
        }
        while (receives < other.sent.size() && random.nextInt(2) == 0) {
            int i = ring.next();
            if (i < 0) {
                break;
            }
            int n = other.sent.get(receives);
            ring.receive(i, peer, n % STREAMS, received, (long) n * AREA, AREA, RECEIVE + receives++);
        }
        ring.submit();
        ring.handle(this::completed);
    }

    private void submit(int i, int n) {
        long at = (long) n * AREA;
        switch (random.nextInt(5)) {
            case 0 -> {
                ring.put(i, peer, out, at, other.targetWindow.id(), at, lengths[n], n);
                put.set(n);
            }
            case 1 -> {
                ring.put(i, peer, out, at, other.targetWindow.id(), at, lengths[n], n);
                ring.flags(i, BulkFlags.NOTIFY | random.nextInt(2) * BulkFlags.FENCE);
                ring.value(i, random.nextBoolean() ? n : LONG_VALUE + n);
                other.expected.set(n);
            }
            case 2 -> {
                lengths[n] = Math.min(lengths[n], other.count * AREA);
                ring.get(i, peer, in, at, other.outWindow.id(), at, lengths[n], n);
                got.set(n);
                if (random.nextInt(3) == 0) {
                    ring.flags(i, BulkFlags.NOTIFY);
                    ring.value(i, LONG_VALUE * 2 + n);
                }
            }
            default -> {
                ring.send(i, peer, n % STREAMS, out, at, lengths[n], n);
                ring.value(i, n);
                sent.add(n);
            }
        }
    }

    private void completed(long userData, long result, int flags, int number, long value) {
        if ((flags & BulkResult.NOTIFY_ARRIVED) != 0) {
            if (value < 2 * LONG_VALUE) {
                notified((int) value);
            }
            return;
        }
        assertThat(done.get((int) userData)).as("completed again: %d", userData).isFalse();
        done.set((int) userData);
        replayed += (flags & BulkResult.REPLAYED) != 0 ? 1 : 0;
        if (userData >= RECEIVE) {
            received((int) userData - RECEIVE, result, (int) value);
            return;
        }
        int n = (int) userData;
        assertThat(BulkResult.toString(result)).isEqualTo(lengths[n] + " bytes");
        if (got.get(n)) {
            assertBytes(in, n, n, lengths[n]);
            canary(in, n);
        }
    }

    private void notified(int n) {
        assertThat(expected.get(n)).as("notification %d is expected", n).isTrue();
        assertThat(notified.get(n)).as("notified again of %d", n).isFalse();
        notified.set(n);
        assertBytes(target, n, n, other.lengths[n]);
        canary(target, n);
    }

    private void received(int order, long result, int n) {
        int area = other.sent.get(order);
        assertThat(BulkResult.toString(result)).isEqualTo(other.lengths[n] + " bytes");
        assertThat(n).as("order of the stream").isEqualTo(area);
        assertThat(taken.get(n)).isFalse();
        taken.set(n);
        assertBytes(received, area, n, other.lengths[n]);
        canary(received, area);
    }

    private void assertBytes(BulkBuffer buffer, int area, int theirs, int length) {
        assertThat(bytes(buffer, area, length)).isEqualTo(bytes(other.out, theirs, length));
    }

    private static byte[] bytes(BulkBuffer buffer, int area, int length) {
        byte[] bytes = new byte[length];
        buffer.bytes().get(area * AREA, bytes);
        return bytes;
    }

    private static void canary(BulkBuffer buffer, int area) {
        buffer.bytes().put(area * AREA, canaries());
    }

    private static byte[] canaries() {
        byte[] bytes = new byte[AREA];
        Arrays.fill(bytes, CANARY);
        return bytes;
    }

    boolean isDone() {
        return done.cardinality() == count + other.sent.size()
                && submitted == count
                && notified.cardinality() == expected.cardinality();
    }

    int replayed() {
        return replayed;
    }

    /** Asserts that nothing has touched the memory of completed entries. */
    void assertCanaries() {
        for (int n = 0; n < count; n++) {
            if (got.get(n)) {
                assertThat(bytes(in, n, AREA)).isEqualTo(canaries());
            }
            if (notified.get(n)) {
                assertThat(bytes(target, n, AREA)).isEqualTo(canaries());
            }
            if (other.put.get(n)) {
                assertBytes(target, n, n, other.lengths[n]);
            }
        }
        for (int n : other.sent) {
            assertThat(bytes(received, n, AREA)).isEqualTo(canaries());
        }
    }

    @Override
    public String toString() {
        return done.cardinality() + " of " + submitted + " and " + receives + " receives done, "
                + notified.cardinality() + " of " + expected.cardinality() + " notifications";
    }
}
