/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.ScatterGatherElement;

/**
 * What one fast register gives a key. It is kept until the completions of the requests that came before its end are read, because small
 * answers lie in those. Guarded by the key once it was given.
 */
final class MrPieces {
    int key;
    int access;
    long base;
    long length;
    int count;

    /** Which registration of the key it was. */
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

    /** Takes a list over, each field once; false where it is no list of 1 to so many pieces with bytes. */
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

    /** Whether some have memory of such keys, which a device could go round in. */
    boolean areOf(MrKeys keys) {
        for (int i = 0; i < count; i++) {
            if (keys.find(lkey[i]) != null) {
                return true;
            }
        }
        return false;
    }

    /** Writes them into an element, and fills its block up. */
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

    /** Copies bytes to a range, where the key has it; a piece that is not there any more takes none. */
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

    /** It is the key's now. */
    void begin() {
        gone = false;
        endedOn = null;
    }

    /** A request was posted that ends it; whatever came before may still be about it. */
    void end(SendElements ring, int number) {
        endedOn = ring;
        endedAt = number;
    }

    /** It is at an end, and nothing is about it. */
    void drop() {
        gone = true;
    }

    boolean isGone() {
        return gone;
    }

    /** Whether it may be filled anew. */
    boolean isSpare() {
        return gone || endedOn != null && endedOn.isDone(endedAt);
    }
}
