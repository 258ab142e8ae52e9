/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.ring;

/** Completions that did not fit into the ring, in order. */
final class Backlog {
    private static final int WORDS = 4;
    private static final int FIRST_ROOM = 64;
    private static final long PEER = 0xffff_ffffL;

    private long[] words = new long[FIRST_ROOM * WORDS];
    private int first;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    void add(long userData, long result, int flags, int peer, long value) {
        if (size * WORDS == words.length) {
            grow();
        }
        int at = at(size++);
        words[at] = userData;
        words[at + 1] = result;
        words[at + 2] = (long) flags << 32 | peer & PEER;
        words[at + 3] = value;
    }

    private int at(int index) {
        return (first + index) * WORDS & words.length - 1;
    }

    private void grow() {
        long[] larger = new long[words.length * 2];
        int start = first * WORDS;
        System.arraycopy(words, start, larger, 0, words.length - start);
        System.arraycopy(words, 0, larger, words.length - start, start);
        words = larger;
        first = 0;
    }

    long userData() {
        return words[at(0)];
    }

    long result() {
        return words[at(0) + 1];
    }

    int flags() {
        return (int) (words[at(0) + 2] >>> 32);
    }

    int peer() {
        return (int) words[at(0) + 2];
    }

    long value() {
        return words[at(0) + 3];
    }

    void remove() {
        first = first + 1 & words.length / WORDS - 1;
        size--;
    }
}
