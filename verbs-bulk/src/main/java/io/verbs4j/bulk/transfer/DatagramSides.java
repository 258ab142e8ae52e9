/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The queue pairs of connections by datagrams: those with work, and the time when others will have some. */
final class DatagramSides {
    /** Minimum nanoseconds between two passes over all of them. */
    private static final long LEAST = 1_000_000;

    private final List<DatagramSide> all = new ArrayList<>();
    private DatagramSide[] active = new DatagramSide[16];
    private int activeCount;

    /** {@link System#nanoTime()} before which no inactive queue pair has work. */
    private long due;

    /** Adds a queue pair; by the driving thread. */
    void open(DatagramSide side) {
        if (all.isEmpty()) {
            due = System.nanoTime();
        }
        all.add(side);
    }

    /** Removes a queue pair that is closed or about to be. */
    void close(DatagramSide side) {
        all.remove(side);
    }

    /** Adds a queue pair to those that have work. */
    void add(DatagramSide side) {
        if (activeCount == active.length) {
            active = Arrays.copyOf(active, activeCount * 2);
        }
        active[activeCount++] = side;
    }

    /** Does all work that is due. Returns whether there was any. */
    boolean advance() {
        boolean any = activeCount > 0;
        if (any || !all.isEmpty()) {
            advance(System.nanoTime());
        }
        return any;
    }

    private void advance(long now) {
        int count = activeCount; // those that become active now are next
        for (int i = 0; i < count; i++) {
            advance(active[i], now);
        }
        activeCount -= count;
        System.arraycopy(active, count, active, 0, activeCount);
        Arrays.fill(active, activeCount, activeCount + count, null);
        if (!all.isEmpty() && now - due >= 0) {
            due = now + Long.MAX_VALUE / 2;
            for (int i = 0; i < all.size(); i++) {
                advanceIfDue(all.get(i), now);
            }
            due = Math.max(due - now, LEAST) + now; // one pass serves many
        }
    }

    private void advanceIfDue(DatagramSide side, long now) {
        long next = side.untilNext(Long.MAX_VALUE / 2);
        if (next <= 0) {
            advance(side, now);
        } else {
            due = Math.min(due - now, next) + now;
        }
    }

    private void advance(DatagramSide side, long now) {
        side.advance();
        due = Math.min(due - now, side.untilNext(Long.MAX_VALUE / 2)) + now;
    }

    /** Returns the nanoseconds until work is due, at most {@code most}. */
    long untilNext(long now, long most) {
        if (activeCount > 0) {
            return 0;
        }
        return all.isEmpty() ? most : Math.min(most, Math.max(0, due - now));
    }
}
