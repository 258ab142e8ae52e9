/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Packets that a {@link FaultLink} holds back, until so many others have passed or until a time. Not thread-safe. */
final class HeldPackets {
    /** A packet held: a copy in a direct buffer, with the faults it is still to suffer. */
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

        /** Notes where the packet came from. */
        void source(long high, long low, int port) {
            srcHigh = high;
            srcLow = low;
            srcPort = port;
        }

        /** Notes where the packet goes to. */
        void destination(long high, long low) {
            dstHigh = high;
            dstLow = low;
        }

        /** Notes when it goes on: after so many others, at that time at the latest. */
        void until(int othersPassed, long nanoTime) {
            others = othersPassed;
            due = nanoTime;
        }
    }

    private final List<Held> held = new ArrayList<>();
    private final Deque<Held> free = new ArrayDeque<>();

    /** Copies a packet and holds it. The caller says whence, where to and how long. */
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

    /** Notes that another packet has passed those that are held. */
    void passed() {
        for (int i = 0; i < held.size(); i++) {
            held.get(i).others--;
        }
    }

    /** Takes out the first packet that is to go on, or null. It is to be given back to {@link #recycle}. */
    Held release(long now) {
        for (int i = 0; i < held.size(); i++) {
            Held h = held.get(i);
            if (h.others <= 0 || h.due - now <= 0) {
                return held.remove(i);
            }
        }
        return null;
    }

    /** Makes the copy of a packet free for another. */
    void recycle(Held h) {
        if (h.data.capacity() == RxPath.MAX_PACKET) {
            free.push(h);
        }
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    /** Nanoseconds until the next packet goes on by time; {@link Long#MAX_VALUE} where none is held. */
    long untilDue(long now) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < held.size(); i++) {
            Held h = held.get(i);
            least = Math.min(least, h.others <= 0 ? 0 : Math.max(h.due - now, 0));
        }
        return least;
    }
}
