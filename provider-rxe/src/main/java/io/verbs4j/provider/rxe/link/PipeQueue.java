/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/**
 * Packets in transit to one link, in a ring of bytes. Any thread may add packets; one thread reads them in place and
 * removes them.
 *
 * <pre>
 * record   0 length(4)  8 source GID  24 destination GID  40 packet, rounded up to 8
 * </pre>
 */
final class PipeQueue {
    private static final int CAPACITY = 4 << 20;
    private static final int HEADER = 40;
    /** In place of a length: the rest up to the end of the memory is unused. */
    private static final int WRAP = -1;

    private final ByteBuffer data = ByteBuffer.allocateDirect(CAPACITY);
    private final long address = NativeMemory.address(data);

    /** Total bytes added; written under the lock. */
    private volatile long tail;

    /** Total bytes removed; written by the reading thread. */
    private volatile long head;

    private int record;

    /** Adds a packet; returns false if there is no room. */
    synchronized boolean offer(long from, int length, long srcHigh, long srcLow, long dstHigh, long dstLow) {
        long t = tail;
        int at = (int) (t % CAPACITY);
        int size = HEADER + length + 7 & ~7;
        int skipped = at + size > CAPACITY ? CAPACITY - at : 0;
        if (t + skipped + size - head > CAPACITY) {
            return false;
        }
        if (skipped > 0) {
            data.putInt(at, WRAP);
            at = 0;
        }
        data.putInt(at, length);
        data.putLong(at + 8, srcHigh);
        data.putLong(at + 16, srcLow);
        data.putLong(at + 24, dstHigh);
        data.putLong(at + 32, dstLow);
        NativeMemory.copy(from, address + at + HEADER, length);
        tail = t + skipped + size;
        return true;
    }

    /** Returns whether the queue is empty. Any thread may call it. */
    boolean isEmpty() {
        return head == tail;
    }

    /** Moves to the next packet; returns false if there is none. */
    boolean peek() {
        long h = head;
        if (h == tail) {
            return false;
        }
        record = (int) (h % CAPACITY);
        if (data.getInt(record) == WRAP) {
            head = h + CAPACITY - record;
            record = 0;
        }
        return true;
    }

    ByteBuffer buffer() {
        return data;
    }

    int offset() {
        return record + HEADER;
    }

    int length() {
        return data.getInt(record);
    }

    long sourceHigh() {
        return data.getLong(record + 8);
    }

    long sourceLow() {
        return data.getLong(record + 16);
    }

    long destinationHigh() {
        return data.getLong(record + 24);
    }

    long destinationLow() {
        return data.getLong(record + 32);
    }

    /** Removes the current packet. */
    void take() {
        long h = head; // only this thread writes it
        head = h + (HEADER + data.getInt(record) + 7 & ~7);
    }
}
