/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.control.ControlLayout;
import java.nio.ByteBuffer;

/** Control messages that wait for a credit, in order. Grows to the maximum number that ever waited. */
final class MessageQueue {
    private static final int FIRST_ROOM = 16;
    private static final long LOW = 0xffff_ffffL;
    private static final int WORDS = 6;

    private long[] words = new long[FIRST_ROOM * WORDS];
    private Transfer[] transfers = new Transfer[FIRST_ROOM];
    private int first;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** Adds a message; its completion counts for a transfer, or for none (null). */
    void add(int kind, long id, long a, long b, int key, int rights, Transfer transfer) {
        add(kind, id, a, b, key, rights, 0, transfer);
    }

    /** Adds a message with a value. */
    void add(int kind, long id, long a, long b, int key, int rights, long value, Transfer transfer) {
        if (size == transfers.length) {
            grow();
        }
        int at = first + size++ & transfers.length - 1;
        words[at * WORDS] = id;
        words[at * WORDS + 1] = a;
        words[at * WORDS + 2] = b;
        words[at * WORDS + 3] = (long) kind << Integer.SIZE | key & LOW;
        words[at * WORDS + 4] = rights;
        words[at * WORDS + 5] = value;
        transfers[at] = transfer;
    }

    private void grow() {
        int old = transfers.length;
        long[] moreWords = new long[old * 2 * WORDS];
        Transfer[] moreTransfers = new Transfer[old * 2];
        for (int i = 0; i < old; i++) {
            int from = first + i & old - 1;
            System.arraycopy(words, from * WORDS, moreWords, i * WORDS, WORDS);
            moreTransfers[i] = transfers[from];
        }
        words = moreWords;
        transfers = moreTransfers;
        first = 0;
    }

    /** Writes the oldest message without its header. */
    void write(ByteBuffer to, int at) {
        int from = first * WORDS;
        long packed = words[from + 3];
        ControlLayout.body(
                to,
                at,
                (int) (packed >>> Integer.SIZE),
                words[from],
                words[from + 1],
                words[from + 2],
                (int) packed,
                (int) words[from + 4]);
        ControlLayout.message(to, at, 0, words[from + 5]);
    }

    Transfer firstTransfer() {
        return transfers[first];
    }

    void remove() {
        transfers[first] = null;
        first = first + 1 & transfers.length - 1;
        size--;
    }

    void clear() {
        while (size > 0) {
            remove();
        }
    }
}
