/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.object.BadWr;

/**
 * A shared receive queue, written in Java: a list of elements, each with the index of the next. The free ones are from head to
 * tail; one that is complete goes behind the tail.
 *
 * <pre>
 * element  0 reserved(2)  2 index of the next(2)  4 reserved(12)  16 data segments, ended by an invalid key
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

    /** A queue over memory that the device shares. */
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

    /** Posts a list; 0 or an errno. */
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
     * The id of the receive that is complete, which {@link #has} told of; its element is free again, unless the queue
     * is closed. The
     * completion queue's lock is held.
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

    /** Whether an element of that index is in the queue. */
    boolean has(int index) {
        return index < wrIds.length;
    }

    /** Where an element is. */
    long elementAt(int index) {
        return NativeMemory.piece(buf + (long) index * stride);
    }

    /** How many data segments an element has at most. */
    int maxSge() {
        return maxSge;
    }

    /** Ends the queue while {@code destroy} frees it; it goes on where that throws. */
    public void close(Runnable destroy) {
        lock.locked(() -> {
            destroy.run();
            closed = true;
        });
    }
}
