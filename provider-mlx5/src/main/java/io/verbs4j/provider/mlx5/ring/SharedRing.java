/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.object.BadWr;

/**
 * A shared receive queue that Java writes: a linked list of elements, each with the index of the next. Free elements
 * are those from head to tail; a completed one is appended after the tail.
 *
 * <pre>
 * element  0 reserved(2)  2 index of the next(2)  4 reserved(12)  16 data segments, terminated by an invalid key
 * </pre>
 */
public final class SharedRing {
    private static final int NEXT = 2;

    private final long buf;
    private final int stride;
    private final long record;
    private final int maxSge;
    private final long[] wrIds;
    private final RingLock lock;
    private int head;
    private int tail;
    private int counter;
    private boolean closed;

    /** Creates a queue over memory shared with the device. */
    public SharedRing(long buf, int stride, long dbrec, int head, int tail, int maxSge, RingLock lock) {
        this.buf = buf;
        this.stride = stride;
        this.record = dbrec;
        this.maxSge = maxSge;
        this.head = head;
        this.tail = tail;
        this.wrIds = new long[tail + 1];
        this.lock = lock;
    }

    /** Posts a list; returns 0 or an errno. */
    public int post(RecvWorkRequest first, RecvWorkRequest[] badWr) {
        boolean asOwner = lock.lock();
        try {
            return closed || first == null ? BadWr.tell(first, badWr, Errno.EINVAL) : postOpen(first, badWr);
        } finally {
            lock.unlock(asOwner);
        }
    }

    private int postOpen(RecvWorkRequest first, RecvWorkRequest[] badWr) {
        RecvWorkRequest wr = first;
        int n = 0;
        int error = 0;
        while (wr != null) {
            if (head == tail) {
                error = BadWr.tell(wr, badWr, Errno.ENOMEM);
                break;
            }
            long at = elementAt(head);
            if (!ReceiveRing.write(at + Wqe.SEGMENT, wr, maxSge, maxSge, false)) {
                error = BadWr.tell(wr, badWr, Errno.EINVAL);
                break;
            }
            wrIds[head] = wr.wrId();
            head = NativeMemory.getNetShort(at + NEXT);
            n++;
            wr = wr.next();
        }
        if (n != 0) {
            counter += n;
            NativeMemory.putIntRelease(record, NativeMemory.fromNetwork(counter));
        }
        return error;
    }

    /**
     * Completes a receive whose index {@link #has} confirmed, and returns its id; its element is free again, unless the
     * queue is closed. The completion queue's lock is held.
     */
    long complete(int index) {
        boolean asOwner = lock.lock();
        try {
            if (!closed) {
                NativeMemory.putNetShort(elementAt(tail) + NEXT, index);
                tail = index;
            }
            return wrIds[index];
        } finally {
            lock.unlock(asOwner);
        }
    }

    /** Returns whether the queue has an element with that index. */
    boolean has(int index) {
        return index < wrIds.length;
    }

    /** Returns the address of an element. */
    long elementAt(int index) {
        return NativeMemory.piece(buf + (long) index * stride);
    }

    /** Returns the maximum number of data segments of an element. */
    int maxSge() {
        return maxSge;
    }

    /** Closes the queue while {@code destroy} frees it; if that throws, the queue stays open. */
    public void close(Runnable destroy) {
        lock.locked(() -> {
            destroy.run();
            closed = true;
        });
    }
}
