/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

/** Packets that have come, each once and in order: those that have come too early stay in their receives. */
final class ReceiveWindow {
    /** Most packets of a window: as many as an acknowledgement has bits for, and the one before. */
    static final int MOST = 64;

    private final int size;
    private final int[] places;
    private int expected;

    /** Bit i: the packet {@code expected + 1 + i} has come. */
    private long early;

    /** A window of {@code size} packets, a power of two, that begins with number {@code first}. */
    ReceiveWindow(int size, int first) {
        this.size = size;
        places = new int[size];
        expected = first;
    }

    /** Number of the packet that is taken next. */
    int expected() {
        return expected;
    }

    /** Which have come behind it. */
    long early() {
        return early;
    }

    /** A packet has come in a receive. Returns whether it is kept: not where it came before, or is none of these. */
    boolean offer(int sequence, int place) {
        int ahead = sequence - expected;
        if (ahead < 0 || ahead >= size || ahead > 0 && (early >>> ahead - 1 & 1) != 0) {
            return false;
        }
        places[sequence & size - 1] = place;
        if (ahead > 0) {
            early |= 1L << ahead - 1;
        }
        return true;
    }

    /** Takes the packet that was expected, which has come. Returns its receive. */
    int take() {
        return places[expected & size - 1];
    }

    /** It was taken. Returns whether the next one has come. */
    boolean taken() {
        boolean next = (early & 1) != 0;
        early >>>= 1;
        expected++;
        return next;
    }
}
