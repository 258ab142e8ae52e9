/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;

/**
 * The receives of an event loop, in a shared receive queue. Each credit that a peer has is a receive that was
 * promised to it; never are more promised than there are. Some are to spare, for messages that need no credit.
 * Belongs to the loop's thread.
 */
final class ReceivePool {
    /** Bit of a request's number: it is a receive. */
    static final long RECEIVE = 1L << 62;

    /** Receives for messages without a credit: these, and one for each of so many connections. */
    private static final int SPARE = 16;

    private static final int LINKS_PER_SPARE = 4;

    private final Slab slab;
    private final SharedReceiveQueue queue;
    private final int capacity;
    private final int spare;
    private final ScatterGatherElement piece = new ScatterGatherElement();
    private final RecvWorkRequest request = new RecvWorkRequest().sgList(piece);
    private int promised;
    private int links;
    private int posted;

    /** Messages that were received and not read yet: the peers have no credits for them. */
    private int unread;

    ReceivePool(ProtectionDomain pd, Slab slab, int capacity) {
        this.slab = slab;
        this.capacity = capacity;
        this.spare = Math.min(SPARE, capacity / 4);
        queue = pd.createSrq(
                new SrqInitAttr().attr(new SrqAttr().maxWr(capacity).maxSge(1)));
    }

    SharedReceiveQueue queue() {
        return queue;
    }

    int capacity() {
        return capacity;
    }

    /** A connection needs that many receives. {@return whether it has them} */
    boolean join(int credits) {
        links++;
        if (promise(credits)) {
            return true;
        }
        links--;
        return false;
    }

    /** A connection is gone that had that many. */
    void leave(int credits) {
        links--;
        promised -= credits;
    }

    /** A connection could use more; half of all are kept for those to come. {@return whether it gets them} */
    boolean more(int credits) {
        return wanted() + credits <= capacity / 2 && promise(credits);
    }

    private boolean promise(int credits) {
        if (wanted() + credits > capacity) {
            return false;
        }
        promised += credits;
        fill();
        if (posted + unread >= promised) { // spare ones may be missing for a while
            return true;
        }
        promised -= credits;
        return false;
    }

    private int wanted() {
        return promised + spare + links / LINKS_PER_SPARE;
    }

    private void fill() {
        int wanted = Math.min(capacity, wanted());
        while (posted + unread < wanted) {
            Slot slot = slab.take();
            if (slot == null) {
                return;
            }
            post(slot);
        }
    }

    /** A receive has completed; its slot is the caller's. */
    void taken() {
        posted--;
        unread++;
    }

    /** Gives a slot back whose message has been read. */
    void put(Slot slot) {
        unread--;
        if (posted + unread < wanted()) {
            post(slot);
        } else {
            slab.give(slot);
        }
    }

    /** {@return whether another slot was posted in place of one that a buffer of the program's keeps} */
    boolean replace() {
        Slot slot = slab.take();
        if (slot == null) {
            return false;
        }
        unread--;
        post(slot);
        return true;
    }

    private void post(Slot slot) {
        piece.addr(slot.address).length(slab.slotSize()).lkey(slot.lkey());
        int errno = queue.postRecv(request.wrId(RECEIVE | slot.index));
        if (errno != 0) {
            throw new VerbsException(errno, "post_srq_recv", Errno.toString(errno));
        }
        posted++;
    }

    void close() {
        queue.close();
    }
}
