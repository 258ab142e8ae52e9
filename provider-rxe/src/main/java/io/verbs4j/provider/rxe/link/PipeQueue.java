/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/**
 * Packets on their way to one link, in a ring of bytes. Any thread puts packets in; one takes them out, in place.
 *
 * <pre>
 * record   0 length(4)  8 source GID  24 destination GID  40 packet, rounded up to 8
 * </pre>
 */
final class PipeQueue {
    private static final int CAPACITY = 4 << 20;
    private static final int HEADER = 40;
    /** In place of a length: nothing more before the end of the memory. */
    private static final int WRAP = -1;

    private final ByteBuffer data = ByteBuffer.allocateDirect(CAPACITY);
    private final long address = NativeMemory.address(data);

    /** Bytes ever put in; written under the lock. */
    private volatile long tail;

    /** Bytes ever taken out; written by the taking thread. */
    private volatile long head;

    private int record;

    /** Puts a packet in; false where there is no room. */
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

    /** Whether there is no packet; any thread may ask. */
    boolean isEmpty() {
        return head == tail;
    }

    /** Looks at the next packet; false where there is none. */
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

    /** Removes the packet looked at. */
    void take() {
        long h = head; // this thread alone writes it
        head = h + (HEADER + data.getInt(record) + 7 & ~7);
    }
}
