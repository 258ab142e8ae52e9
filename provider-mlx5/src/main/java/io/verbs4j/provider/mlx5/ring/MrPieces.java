/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.ScatterGatherElement;

/**
 * The memory that one fast register gives to a key. It is kept until the completions of all requests before its end
 * have been read, because they may contain the data of small responses. Guarded by the key once it is registered.
 */
final class MrPieces {
    int key;
    int access;
    long base;
    long length;
    int count;

    /** Sequence number among the key's registrations. */
    int order;

    private final long[] addr;
    private final int[] bytes;
    private final int[] lkey;

    private SendElements endedOn;
    private int endedAt;
    private boolean gone = true;

    MrPieces(int room) {
        addr = new long[room];
        bytes = new int[room];
        lkey = new int[room];
    }

    /**
     * Copies a list, reading each field once; returns false unless it has 1 to the maximum number of pieces, all with
     * bytes.
     */
    boolean read(ScatterGatherElement[] list, int number) {
        if (list == null || number < 1 || number > addr.length || list.length < number) {
            return false;
        }
        long total = 0;
        for (int i = 0; i < number; i++) {
            ScatterGatherElement e = list[i];
            int n = e == null ? 0 : e.length();
            if (n <= 0) {
                return false;
            }
            addr[i] = e.addr();
            bytes[i] = n;
            lkey[i] = e.lkey();
            total += n;
        }
        count = number;
        length = total;
        return true;
    }

    /** Returns whether a piece belongs to such a key, which could lead a device in circles. */
    boolean areOf(MrKeys keys) {
        for (int i = 0; i < count; i++) {
            if (keys.find(lkey[i]) != null) {
                return true;
            }
        }
        return false;
    }

    /** Writes the pieces into an element, with padding. */
    long write(SendElements ring, long at, int entries) {
        long seg = at;
        for (int i = 0; i < count; i++) {
            seg = ring.data(seg, lkey[i], addr[i], bytes[i]);
        }
        for (int i = count; i < entries; i++) {
            seg = ring.words(seg, 0, 0);
        }
        return seg;
    }

    /** Copies bytes to a range, if it belongs to the key; fails for a piece whose memory is no longer registered. */
    boolean put(Scatter to, long at, long from, int number) {
        long offset = at - base;
        if (offset < 0 || offset > length || number > length - offset) {
            return false;
        }
        int rest = number;
        for (int i = 0; i < count && rest > 0; i++) {
            if (offset >= bytes[i]) {
                offset -= bytes[i];
                continue;
            }
            int n = (int) Math.min(bytes[i] - offset, rest);
            if (!to.copy(from + number - rest, lkey[i], addr[i] + offset, n)) {
                return false;
            }
            rest -= n;
            offset = 0;
        }
        return true;
    }

    /** Marks the memory as the key's current one. */
    void begin() {
        gone = false;
        endedOn = null;
    }

    /** Notes the posted request that ends the registration; requests before it may still use the memory. */
    void end(SendElements ring, int number) {
        endedOn = ring;
        endedAt = number;
    }

    /** Marks the registration as ended, with no request using it. */
    void drop() {
        gone = true;
    }

    boolean isGone() {
        return gone;
    }

    /** Returns whether this can be reused. */
    boolean isSpare() {
        return gone || endedOn != null && endedOn.isDone(endedAt);
    }
}
