/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;

/**
 * The receives of an event loop, in a shared receive queue. Never promises more than there are. Belongs to the loop's
 * thread.
 */
final class SharedReceivePool implements ReceiveSupply {
    /** Receives for messages that need no credit: this many, and one for every {@link #LINKS_PER_SPARE} connections. */
    private static final int SPARE = 16;

    private static final int LINKS_PER_SPARE = 4;

    private final Slab slab;
    private final SharedReceiveQueue queue;
    private final int capacity;
    private final int spare;
    private final ReceiveRequest request;
    private int promised;
    private int links;
    private int posted;

    /** Messages that were received and not read yet, for which the peers have no credits. */
    private int unread;

    SharedReceivePool(ProtectionDomain pd, Slab slab, int capacity) {
        this.slab = slab;
        this.request = new ReceiveRequest(slab);
        this.capacity = capacity;
        this.spare = Math.min(SPARE, capacity / 4);
        queue = pd.createSrq(
                new SrqInitAttr().attr(new SrqAttr().maxWr(capacity).maxSge(1)));
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public Receives join(int credits) {
        links++;
        boolean joined = false;
        try {
            joined = promise(credits);
        } finally {
            links -= joined ? 0 : 1;
        }
        return joined ? new Share(credits) : null;
    }

    @Override
    public void prepare(QpInitAttr attr) {
        attr.srq(queue);
    }

    private boolean promise(int credits) {
        if (wanted() + credits > capacity) {
            return false;
        }
        promised += credits;
        boolean kept = false;
        try {
            fill();
            kept = posted + unread >= promised; // spare ones may be missing for a while
        } finally {
            promised -= kept ? 0 : credits;
        }
        return kept;
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

    private void post(Slot slot) {
        int errno = queue.postRecv(request.prepared(slot));
        if (errno != 0) {
            slab.give(slot);
            throw new VerbsException(errno, "post_srq_recv", Errno.toString(errno));
        }
        posted++;
    }

    private void taken() {
        posted--;
        unread++;
    }

    private void put(Slot slot) {
        unread--;
        if (posted + unread < wanted()) {
            post(slot);
        } else {
            slab.give(slot);
        }
    }

    @Override
    public void orphaned(Slot slot) {
        taken();
        put(slot);
    }

    @Override
    public void close() {
        queue.close();
    }

    /** The share of a connection. */
    private final class Share implements Receives {
        private int window;

        Share(int window) {
            this.window = window;
        }

        @Override
        public boolean open(QueuePair qp) {
            return true; // posted when they were promised
        }

        @Override
        public int window() {
            return window;
        }

        /** Reserves half of all receives for new connections. */
        @Override
        public boolean widen(int credits) {
            if (wanted() + credits > capacity / 2 || !promise(credits)) {
                return false;
            }
            window += credits;
            return true;
        }

        @Override
        public void taken(Slot slot) {
            SharedReceivePool.this.taken();
        }

        @Override
        public void put(Slot slot) {
            SharedReceivePool.this.put(slot);
        }

        @Override
        public void failed(Slot slot) {
            SharedReceivePool.this.put(slot); // becomes another connection's next receive
        }

        @Override
        public boolean replace(Slot slot) {
            Slot other = slab.take();
            if (other == null) {
                return false;
            }
            unread--;
            SharedReceivePool.this.post(other);
            return true;
        }

        @Override
        public void close() {
            links--;
            promised -= window;
        }
    }
}
