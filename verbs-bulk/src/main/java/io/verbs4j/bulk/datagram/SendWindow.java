/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

/**
 * Packets that were sent and may have to be sent again. A packet counts as lost when a packet that was sent three or
 * more transmissions later has arrived. A loss halves the limit of packets in flight; arrivals let it grow.
 */
final class SendWindow {
    private static final int REORDERING = 3;
    private static final int FIRST = 16;
    private static final int LEAST = 4;

    private final int size;
    private final int mask;
    private final boolean reliable;
    private final int[] requests;
    private final int[] offsets;
    private final int[] lengths;
    private final long[] stamps;
    private final int[] pending;
    private final boolean[] come;
    private final boolean[] lost;
    private int oldest;
    private int next;
    private int lostCount;
    private long stamp;
    private long newestStamp;
    private int room;
    private int threshold = Integer.MAX_VALUE;
    private int grown;
    private int recovered;

    /**
     * Creates a window.
     *
     * @param size maximum number of packets, a power of two
     * @param first number of the first packet
     * @param reliable whether packets are never lost
     */
    SendWindow(int size, int first, boolean reliable) {
        this.size = size;
        this.reliable = reliable;
        mask = size - 1;
        requests = new int[size];
        offsets = new int[size];
        lengths = new int[size];
        stamps = new long[size];
        pending = new int[size];
        come = new boolean[size];
        lost = new boolean[size];
        oldest = first;
        next = first;
        recovered = first;
        room = reliable ? size : Math.min(size, FIRST);
    }

    boolean hasRoom() {
        return next - oldest < room;
    }

    boolean isEmpty() {
        return next == oldest;
    }

    /** All packets before this one have arrived and left the send queue. */
    int oldest() {
        return oldest;
    }

    int next() {
        return next;
    }

    /** Adds a packet, a part of a request. Returns its number. */
    int add(int request, int offset, int length) {
        int i = next & mask;
        requests[i] = request;
        offsets[i] = offset;
        lengths[i] = length;
        come[i] = false;
        lost[i] = false;
        pending[i] = 0;
        return next++;
    }

    /** Records that a packet was put into the send queue. */
    void posted(int sequence) {
        int i = sequence & mask;
        stamps[i] = ++stamp;
        pending[i]++;
        if (lost[i]) {
            lost[i] = false;
            lostCount--;
        }
    }

    /** Records that a packet has left the send queue. */
    void completed(int sequence) {
        pending[sequence & mask]--;
        advance();
    }

    /** Whether an acknowledgement refers to packets that were sent. */
    boolean isPossible(int acknowledged) {
        return next - acknowledged >= 0;
    }

    /**
     * Records that the peer has all packets before a number, and those that the bits name after it.
     *
     * @return whether this acknowledges anything new
     */
    boolean acknowledged(int before, long bits) {
        boolean news = false;
        for (int sequence = oldest; before - sequence > 0; sequence++) {
            news |= come(sequence);
        }
        if (before - oldest >= 0) {
            for (int i = 0; bits >>> i != 0 && next - (before + 1 + i) > 0; i++) {
                if ((bits >>> i & 1) != 0) {
                    news |= come(before + 1 + i);
                }
            }
        }
        if (news) {
            findLost();
            advance();
        }
        return news;
    }

    private boolean come(int sequence) {
        int i = sequence & mask;
        if (come[i]) {
            return false;
        }
        come[i] = true;
        if (lost[i]) {
            lost[i] = false;
            lostCount--;
        }
        newestStamp = Math.max(newestStamp, stamps[i]);
        grow();
        return true;
    }

    private void grow() {
        if (room < size) {
            grown++;
            if (room < threshold || grown >= room) {
                room++;
                grown = 0;
            }
        }
    }

    private void findLost() {
        if (reliable) {
            return;
        }
        for (int sequence = oldest; sequence != next; sequence++) {
            int i = sequence & mask;
            if (!come[i] && !lost[i] && stamps[i] + REORDERING <= newestStamp) {
                lost[i] = true;
                lostCount++;
                shrink(sequence);
            }
        }
    }

    private void shrink(int sequence) {
        if (sequence - recovered >= 0) { // once for all packets in flight
            threshold = Math.max(LEAST, room / 2);
            room = threshold;
            recovered = next;
            grown = 0;
        }
    }

    private void advance() {
        while (oldest != next && come[oldest & mask] && pending[oldest & mask] == 0) {
            oldest++;
        }
    }

    /** Whether packets must be sent again. */
    boolean hasLost() {
        return lostCount > 0;
    }

    /** Returns the oldest lost packet that is not in the send queue; {@link #next()} if there is none. */
    int firstLost() {
        int sequence = oldest;
        while (sequence != next && !(lost[sequence & mask] && pending[sequence & mask] == 0)) {
            sequence++;
        }
        return sequence;
    }

    /** Marks the oldest packet that has not arrived, if any, as lost after a timeout. */
    void timedOut() {
        int sequence = oldest;
        while (sequence != next && come[sequence & mask]) {
            sequence++;
        }
        if (sequence != next && !lost[sequence & mask]) {
            lost[sequence & mask] = true;
            lostCount++;
            shrink(sequence);
        }
    }

    int request(int sequence) {
        return requests[sequence & mask];
    }

    int offset(int sequence) {
        return offsets[sequence & mask];
    }

    int length(int sequence) {
        return lengths[sequence & mask];
    }
}
