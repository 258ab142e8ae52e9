/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/** Carries datagrams between two model wires, with seeded faults and its own clock. */
final class ModelNetwork {
    private static final long TRAVEL = 5_000;
    private static final long LATE = 200_000;

    private record Event(long time, long order, Runnable action) {}

    final Random random;
    final Faults faults;

    /** Time in nanoseconds. Starts near the largest value, so that it wraps. */
    long now = Long.MAX_VALUE - 1_000_000;

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.<Event>comparingLong(event -> event.time - (Long.MAX_VALUE - 1_000_000))
                    .thenComparingLong(Event::order));
    private long order;

    ModelNetwork(long seed, Faults faults) {
        random = new Random(seed);
        this.faults = faults;
    }

    /** Number of the next datagram to lose, from 1. */
    int loses;

    /** Number of datagrams to lose from there. */
    int lossRun = 1;

    private boolean by(int percent) {
        return random.nextInt(100) < percent;
    }

    private boolean isLost() {
        if (loses == 0) {
            return false;
        }
        if (--loses > 0) {
            return false;
        }
        loses = --lossRun > 0 ? 1 : 0;
        return true;
    }

    void later(long nanos, Runnable action) {
        events.add(new Event(now + nanos, order++, action));
    }

    void carry(byte[] datagram, ModelWire to) {
        int copies = isLost() || by(faults.drop()) ? 0 : by(faults.duplicate()) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            byte[] carried = datagram;
            if (by(faults.corrupt())) {
                carried = Arrays.copyOf(datagram, random.nextInt(to.mtu() + 1));
            }
            byte[] arriving = carried;
            later(TRAVEL + (by(faults.delay()) ? random.nextLong(LATE) : 0), () -> to.take(arriving));
        }
    }

    /** Runs the next event, at most {@code nanos} from now. Returns whether there was one. */
    boolean step(long nanos) {
        Event next = events.peek();
        if (next == null || next.time - now > nanos) {
            now += nanos;
            return false;
        }
        now = next.time;
        while (next != null && next.time == now) {
            events.remove().action().run();
            next = events.peek();
        }
        return true;
    }
}
