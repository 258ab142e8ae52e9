/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;

/** A receive queue's ring, of a queue pair's own or a shared one. All methods are safe for any thread. */
public final class RecvQueue {
    /** What {@link #take(RecvWqe, long)} answers where it took the first element out. */
    public static final int TAKEN = 0;

    /** What it answers where there is none. */
    public static final int EMPTY = 1;

    /** What it answers where the first element is too small, which stays. */
    public static final int TOO_SMALL = 2;

    private RecvWqe[] ring;
    private int maxWr;
    private final int maxSge;
    private long posted;
    private long taken;

    /** Elements before it may be taken. */
    private long enabled = Long.MAX_VALUE;

    private boolean managed;

    /** Makes a queue. */
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

    /** Adds a list of work requests; 0 or an errno, and the one at fault in {@code bad}. */
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

    /** Takes the first element out into {@code into}; false where there is none. */
    public boolean take(RecvWqe into) {
        return take(into, 0) == TAKEN;
    }

    /** Takes the first element out into {@code into}, where so many bytes fit into it; answers a constant of this class. */
    public synchronized int take(RecvWqe into, long bytes) {
        if (taken == Math.min(posted, enabled)) {
            return EMPTY;
        }
        return takeFirst(into, bytes);
    }

    /** Takes the first element out, be it enabled or not; false where there is none. */
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

    /** How many there are. */
    public synchronized int count() {
        return (int) (posted - taken);
    }

    /** Forgets everything. */
    public synchronized void clear() {
        taken = posted;
        if (managed) {
            enabled = posted;
        }
    }

    /** From now on nothing can be taken that is not {@linkplain #enable enabled}. */
    public synchronized void manage() {
        managed = true;
        enabled = posted;
    }

    /** Lets so many more be taken, those that are not posted yet too; with 0 all that are posted. */
    public synchronized void enable(int more) {
        if (managed) {
            enabled = Math.max(enabled, more == 0 ? posted : enabled + more);
        }
    }

    /** Changes the size; false where more are in it. */
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

    /** Most elements. */
    public synchronized int maxWr() {
        return maxWr;
    }

    /** Most pieces in an element. */
    public int maxSge() {
        return maxSge;
    }
}
