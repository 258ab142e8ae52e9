/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.object.BadWr;

/**
 * A receive queue that Java writes: a 16-byte descriptor for each memory element. The ring lies in ordinary memory. The
 * doorbell, which counts descriptors, is uncached: x86-64 keeps the stores in program order.
 */
public final class ReceiveRing {
    private final RingLock lock;
    private final long buf;
    private final int mask;
    private final long doorbell;
    private final int maxSge;
    final RequestIds ids;

    /**
     * Index of the first completion of this queue pair; earlier ones belong to another queue pair, or to this one
     * before RESET. Guarded by the completion queue's lock.
     */
    long since;

    private int written;
    private boolean open;

    /** Creates a queue in memory shared with the device; nothing can be posted yet. */
    public ReceiveRing(WorkQueuePlace where, int maxWr, int maxSge, RingLock lock) {
        this.lock = lock;
        this.buf = where.buffer();
        this.mask = where.numEntries() - 1;
        this.doorbell = where.doorbell();
        this.maxSge = maxSge;
        this.ids = new RequestIds(maxWr, false);
    }

    /** Posts a list. Returns 0 or an errno. */
    public int post(RecvWorkRequest first, RecvWorkRequest[] badWr) {
        if (first != null) {
            boolean asOwner = lock.lock();
            try {
                if (open) {
                    return postOpen(first, badWr);
                }
            } finally {
                lock.unlock(asOwner);
            }
        }
        return BadWr.tell(first, badWr, Errno.EINVAL);
    }

    private int postOpen(RecvWorkRequest first, RecvWorkRequest[] badWr) {
        int before = written;
        int error;
        int left = ids.most(); // limits a cyclic list, even if another thread polls
        RecvWorkRequest wr = first;
        do {
            error = left-- == 0 ? Errno.ENOMEM : write(wr);
            if (error != 0) {
                BadWr.tell(wr, badWr, error);
                break;
            }
            wr = wr.next();
        } while (wr != null);
        if (written != before) {
            NativeMemory.putIntRelease(doorbell, written & 0xffff);
        }
        return error;
    }

    /**
     * Writes a receive. One without elements is refused: it would take an id, but no descriptor that could ever return
     * it.
     */
    private int write(RecvWorkRequest wr) {
        int count = wr.numSge();
        ScatterGatherElement[] list = wr.sgList();
        if (count < 1 || count > maxSge || list == null || list.length < count) {
            return Errno.EINVAL;
        }
        if (ids.isFull()) {
            return Errno.ENOMEM;
        }
        int at = written;
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            int length = e == null ? -1 : e.length();
            if (length < 0) {
                return Errno.EINVAL; // the partial descriptor is never announced
            }
            long piece = buf + (long) (at + i & mask) * Descriptor.PIECE;
            int key = e.lkey() & Descriptor.LKEY
                    | (i == 0 ? Descriptor.FIRST : 0)
                    | (i == count - 1 ? Descriptor.LAST : 0);
            NativeMemory.putLong(piece, e.addr());
            NativeMemory.putLong(
                    piece + Long.BYTES, Descriptor.words(Math.min(length, Descriptor.MOST_RECEIVED) << 16, key));
        }
        long first = buf + (long) (at & mask) * Descriptor.PIECE;
        NativeMemory.putShort(first + Long.BYTES, (int) ids.take(wr.wrId())); // only in the first element, as in libefa
        written = at + count;
        return 0;
    }

    /** Sets whether receives can be posted. The lock must be held. */
    public void setOpen(boolean value) {
        open = value;
    }

    /** Resets the queue when the queue pair goes to RESET. The lock must be held. */
    public void reset() {
        written = 0;
        ids.reset();
    }
}
