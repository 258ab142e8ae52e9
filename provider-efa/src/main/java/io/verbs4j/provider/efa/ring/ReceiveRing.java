/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.object.BadWr;

/**
 * A receive queue, written in Java: a descriptor of 16 bytes for each piece of memory. It lies in ordinary memory, and the doorbell, which counts
 * descriptors, is not cached: on x86-64 stores stay in the order of the program.
 */
public final class ReceiveRing {
    private final RingLock lock;
    private final long buf;
    private final int mask;
    private final long doorbell;
    private final int maxSge;
    final RequestIds ids;

    /** Completions before that one are of another queue pair, or of an earlier life of this one. The completion queue's lock guards it. */
    long since;

    private int written;
    private boolean open;

    /** A queue over memory that the device shares, which nothing can be posted to yet. */
    public ReceiveRing(WorkQueuePlace where, int maxWr, int maxSge, RingLock lock) {
        this.lock = lock;
        this.buf = where.buffer();
        this.mask = where.numEntries() - 1;
        this.doorbell = where.doorbell();
        this.maxSge = maxSge;
        this.ids = new RequestIds(maxWr, false);
    }

    /** Posts a list; 0 or an errno. */
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
        int left = ids.most(); // whoever polls meanwhile: a list may lead back to itself
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

    /** A receive without elements would be lost: it has an id, and no descriptor that could bring it back. */
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
                return Errno.EINVAL; // what was written is not announced
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
        NativeMemory.putShort(first + Long.BYTES, (int) ids.take(wr.wrId())); // in the first alone, as libefa has it
        written = at + count;
        return 0;
    }

    /** Takes note of whether receives can be posted now. The lock is held. */
    public void setOpen(boolean value) {
        open = value;
    }

    /** The queue pair went to RESET. The lock is held. */
    public void reset() {
        written = 0;
        ids.reset();
    }
}
