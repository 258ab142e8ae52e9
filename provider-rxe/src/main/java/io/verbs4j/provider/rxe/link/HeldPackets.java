/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Packets that a {@link FaultLink} holds back until a number of others have passed or a time is reached. Not
 * thread-safe.
 */
final class HeldPackets {
    /** A held packet: a copy in a direct buffer, with the faults still to apply. */
    static final class Held {
        private final ByteBuffer data;
        private int length;
        private long srcHigh;
        private long srcLow;
        private int srcPort;
        private long dstHigh;
        private long dstLow;
        private int faults;
        private long number;
        private long due;
        private int others;

        private Held(int capacity) {
            data = ByteBuffer.allocateDirect(capacity);
        }

        ByteBuffer data() {
            return data;
        }

        int length() {
            return length;
        }

        long srcHigh() {
            return srcHigh;
        }

        long srcLow() {
            return srcLow;
        }

        int srcPort() {
            return srcPort;
        }

        long dstHigh() {
            return dstHigh;
        }

        long dstLow() {
            return dstLow;
        }

        int faults() {
            return faults;
        }

        long number() {
            return number;
        }

        /** Sets the packet's source. */
        void source(long high, long low, int port) {
            srcHigh = high;
            srcLow = low;
            srcPort = port;
        }

        /** Sets the packet's destination. */
        void destination(long high, long low) {
            dstHigh = high;
            dstLow = low;
        }

        /** Sets when the packet is released: after the given number of others, and at the given time at the latest. */
        void until(int othersPassed, long nanoTime) {
            others = othersPassed;
            due = nanoTime;
        }
    }

    private final List<Held> held = new ArrayList<>();
    private final Deque<Held> free = new ArrayDeque<>();

    /** Copies and holds a packet. The caller must set its source, destination and release. */
    Held add(ByteBuffer b, int offset, int length, int faults, long number) {
        Held h = length <= RxPath.MAX_PACKET ? free.poll() : null;
        if (h == null) {
            h = new Held(Math.max(length, RxPath.MAX_PACKET));
        }
        h.data.put(0, b, offset, length);
        h.length = length;
        h.faults = faults;
        h.number = number;
        held.add(h);
        return h;
    }

    /** Notes that another packet has passed the held ones. */
    void passed() {
        for (int i = 0; i < held.size(); i++) {
            held.get(i).others--;
        }
    }

    /** Removes and returns the first packet that is due, or null. Pass it to {@link #recycle} afterwards. */
    Held release(long now) {
        for (int i = 0; i < held.size(); i++) {
            Held h = held.get(i);
            if (h.others <= 0 || h.due - now <= 0) {
                return held.remove(i);
            }
        }
        return null;
    }

    /** Makes the copy of a packet available for reuse. */
    void recycle(Held h) {
        if (h.data.capacity() == RxPath.MAX_PACKET) {
            free.push(h);
        }
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    /** Returns the nanoseconds until the next packet is due by time; {@link Long#MAX_VALUE} if none is held. */
    long untilDue(long now) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < held.size(); i++) {
            Held h = held.get(i);
            least = Math.min(least, h.others <= 0 ? 0 : Math.max(h.due - now, 0));
        }
        return least;
    }
}
