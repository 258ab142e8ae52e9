/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;

/** The receives of a connection's own queue pair. Belongs to the loop's thread. */
final class OwnReceives implements Receives {
    /** Receives for messages that need no credit: returns of credits, and the end of the stream. */
    static final int SPARE = 4;

    private final OwnReceivePool pool;
    private final Slab slab;
    private final Slot[] posted;
    private QueuePair qp;
    private int window;
    private int postedCount;

    /** Messages that were received and not read yet, for which the peer has no credits. */
    private int unread;

    OwnReceives(OwnReceivePool pool, Slab slab, int window, int maxPosted) {
        this.pool = pool;
        this.slab = slab;
        this.window = window;
        this.posted = new Slot[maxPosted];
    }

    @Override
    public boolean open(QueuePair made) {
        qp = made;
        return fill();
    }

    private boolean fill() {
        int wanted = Math.min(posted.length, window + SPARE);
        while (postedCount + unread < wanted) {
            Slot slot = slab.take();
            if (slot == null) {
                return false;
            }
            post(slot);
        }
        return true;
    }

    @Override
    public int window() {
        return window;
    }

    @Override
    public boolean widen(int credits) {
        if (window + credits + SPARE > posted.length || !pool.promiseMore(credits)) {
            return false;
        }
        window += credits;
        boolean filled = false;
        try {
            filled = fill();
        } finally {
            if (!filled) {
                window -= credits;
                pool.unpromise(credits);
            }
        }
        return filled;
    }

    @Override
    public void taken(Slot slot) {
        Slot last = posted[--postedCount];
        posted[slot.place] = last;
        last.place = slot.place;
        posted[postedCount] = null;
        unread++;
    }

    @Override
    public void put(Slot slot) {
        unread--;
        if (postedCount + unread < window + SPARE) {
            post(slot);
        } else {
            slab.give(slot);
        }
    }

    @Override
    public void failed(Slot slot) {
        unread--;
        slab.give(slot);
    }

    @Override
    public boolean replace(Slot slot) {
        Slot other = slab.take();
        if (other == null) {
            return false;
        }
        unread--;
        post(other);
        return true;
    }

    private void post(Slot slot) {
        int errno = qp.postRecv(pool.request(slot));
        if (errno != 0) {
            slab.give(slot);
            throw new VerbsException(errno, "post_recv", Errno.toString(errno));
        }
        slot.place = postedCount;
        posted[postedCount++] = slot;
    }

    @Override
    public void close() {
        for (int i = 0; i < postedCount; i++) {
            slab.give(posted[i]);
        }
        postedCount = 0;
        pool.unpromise(window + SPARE);
    }
}
