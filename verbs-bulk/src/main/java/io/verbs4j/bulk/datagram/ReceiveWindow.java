/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

/** Puts received packets in order and drops duplicates. Early packets stay in their receives. */
final class ReceiveWindow {
    /** Maximum size of a window: one packet more than an acknowledgement has bits. */
    static final int MOST = 64;

    private final int size;
    private final int[] places;
    private int expected;

    /** Bit i: packet {@code expected + 1 + i} has arrived. */
    private long early;

    /** Creates a window of {@code size} packets, a power of two, that starts with number {@code first}. */
    ReceiveWindow(int size, int first) {
        this.size = size;
        places = new int[size];
        expected = first;
    }

    /** Number of the packet that is taken next. */
    int expected() {
        return expected;
    }

    /** The bits of the packets that have arrived after it. */
    long early() {
        return early;
    }

    /** Offers a packet. Returns false if it is a duplicate or outside the window, and is not kept. */
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

    /** Returns the receive of the expected packet, which must have arrived. */
    int take() {
        return places[expected & size - 1];
    }

    /** Moves on to the next packet. Returns whether it has arrived. */
    boolean taken() {
        boolean next = (early & 1) != 0;
        early >>>= 1;
        expected++;
        return next;
    }
}
