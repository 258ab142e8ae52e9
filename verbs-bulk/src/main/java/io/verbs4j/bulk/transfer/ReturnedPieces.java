/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import java.util.Arrays;

/** Pieces of transfers that were in flight on a lost rail, in order, to be posted again. */
final class ReturnedPieces {
    private static final int FIRST_ROOM = 16;

    private Transfer[] transfers = new Transfer[FIRST_ROOM];
    private long[] offsets = new long[FIRST_ROOM];
    private int[] bytes = new int[FIRST_ROOM];
    private int first;
    private int end;

    boolean isEmpty() {
        return first == end;
    }

    /** Takes all requests that have not completed. */
    void addAll(PostedQueue posted) {
        while (!posted.isEmpty()) {
            long offset = posted.oldestOffset();
            int count = posted.oldestBytes();
            add(posted.remove(), offset, count);
        }
    }

    private void add(Transfer transfer, long offset, int count) {
        if (end == transfers.length && first > 0) {
            shift();
        }
        if (end == transfers.length) {
            transfers = Arrays.copyOf(transfers, 2 * end);
            offsets = Arrays.copyOf(offsets, 2 * end);
            bytes = Arrays.copyOf(bytes, 2 * end);
        }
        transfers[end] = transfer;
        offsets[end] = offset;
        bytes[end++] = count;
    }

    /** Makes room at the end. */
    private void shift() {
        int count = end - first;
        System.arraycopy(transfers, first, transfers, 0, count);
        System.arraycopy(offsets, first, offsets, 0, count);
        System.arraycopy(bytes, first, bytes, 0, count);
        Arrays.fill(transfers, count, end, null);
        first = 0;
        end = count;
    }

    Transfer transfer() {
        return transfers[first];
    }

    long offset() {
        return offsets[first];
    }

    int bytes() {
        return bytes[first];
    }

    /** Removes the first piece. */
    void remove() {
        transfers[first++] = null;
        if (first == end) {
            first = 0;
            end = 0;
        }
    }

    void clear() {
        while (!isEmpty()) {
            remove();
        }
    }
}
