/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;

/** The ring of a receive queue, a queue pair's own or a shared one. All methods are thread-safe. */
public final class RecvQueue {
    /** Returned by {@link #take(RecvWqe, long)} if it took the first element. */
    public static final int TAKEN = 0;

    /** Returned if the queue is empty. */
    public static final int EMPTY = 1;

    /** Returned if the first element is too small; it stays in the queue. */
    public static final int TOO_SMALL = 2;

    private RecvWqe[] ring;
    private int maxWr;
    private final int maxSge;
    private long posted;
    private long taken;

    /** Elements below this counter may be taken. */
    private long enabled = Long.MAX_VALUE;

    private boolean managed;

    /** Creates a queue. */
    public RecvQueue(int maxWr, int maxSge) {
        this.maxSge = maxSge;
        this.maxWr = maxWr;
        this.ring = makeRing(maxWr);
    }

    private RecvWqe[] makeRing(int wr) {
        RecvWqe[] r = new RecvWqe[Integer.highestOneBit(Math.max(1, wr) * 2 - 1)];
        for (int i = 0; i < r.length; i++) {
            r[i] = new RecvWqe(maxSge);
        }
        return r;
    }

    /** Adds a list of work requests; returns 0, or an errno and the failing request in {@code bad}. */
    public synchronized int post(RecvWorkRequest wr, RecvWorkRequest[] bad) {
        if (wr == null) {
            return Errno.EINVAL;
        }
        for (RecvWorkRequest w = wr; w != null; w = w.next()) {
            int error = 0;
            if (posted - taken >= maxWr) {
                error = Errno.ENOMEM;
            } else {
                RecvWqe wqe = ring[(int) posted & ring.length - 1];
                wqe.wrId = w.wrId();
                if (!wqe.data.set(w.sgList(), w.numSge())) {
                    error = Errno.EINVAL;
                }
            }
            if (error != 0) {
                return BadWr.tell(w, bad, error);
            }
            posted++;
        }
        return 0;
    }

    /** Moves the first element to {@code into}; returns false if there is none. */
    public boolean take(RecvWqe into) {
        return take(into, 0) == TAKEN;
    }

    /** Moves the first element to {@code into} if {@code bytes} fit into it; returns a constant of this class. */
    public synchronized int take(RecvWqe into, long bytes) {
        if (taken == Math.min(posted, enabled)) {
            return EMPTY;
        }
        return takeFirst(into, bytes);
    }

    /** Moves the first element to {@code into}, whether enabled or not; returns false if there is none. */
    public synchronized boolean flush(RecvWqe into) {
        return taken < posted && takeFirst(into, 0) == TAKEN;
    }

    private int takeFirst(RecvWqe into, long bytes) {
        RecvWqe first = ring[(int) taken & ring.length - 1];
        if (bytes > first.data.total()) {
            return TOO_SMALL;
        }
        into.copyFrom(first);
        taken++;
        return TAKEN;
    }

    /** {@return the number of elements} */
    public synchronized int count() {
        return (int) (posted - taken);
    }

    /** Discards all elements. */
    public synchronized void clear() {
        taken = posted;
        if (managed) {
            enabled = posted;
        }
    }

    /** Makes the queue managed: from now on only elements that are {@linkplain #enable enabled} can be taken. */
    public synchronized void manage() {
        managed = true;
        enabled = posted;
    }

    /** Enables {@code more} elements, including ones that are not posted yet; 0 enables all posted ones. */
    public synchronized void enable(int more) {
        if (managed) {
            enabled = Math.max(enabled, more == 0 ? posted : enabled + more);
        }
    }

    /** Changes the size; returns false if the queue has more elements than that. */
    public synchronized boolean resize(int wr) {
        if (wr < posted - taken) {
            return false;
        }
        RecvWqe[] larger = makeRing(wr);
        for (long i = taken; i < posted; i++) {
            larger[(int) i & larger.length - 1].copyFrom(ring[(int) i & ring.length - 1]);
        }
        ring = larger;
        maxWr = wr;
        return true;
    }

    /** {@return the maximum number of elements} */
    public synchronized int maxWr() {
        return maxWr;
    }

    /** {@return the maximum number of pieces in an element} */
    public int maxSge() {
        return maxSge;
    }
}
