/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.provider.mlx5.dv.CqMemory;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.ring.CqRing;
import io.verbs4j.provider.mlx5.ring.TimedReader;
import io.verbs4j.rdmacore.object.CqReader;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.quirk.TickClock;

/** The native side of a completion queue that Java polls and arms. */
final class Mlx5Cq extends IbvCq {
    private final Mlx5Context base;
    private final RingLock lock;
    private final CqRing ring;
    private CqMemory memory; // after a resize
    private TickClock clock; // of its time stamps, or null

    /**
     * Creates the native side of a {@code struct ibv_cq}.
     *
     * @param singleThreaded whether the program promises that no two threads use it at a time
     */
    Mlx5Cq(Mlx5Context base, long cq, boolean singleThreaded) {
        super(cq, base.functions(), base.quirks(), base.windows());
        this.base = base;
        lock = base.locks().make(singleThreaded);
        DvObjects.Cq rings = DvObjects.cq(cq);
        ring = new CqRing(
                rings.buf(),
                rings.count(),
                rings.size(),
                rings.dbrec(),
                rings.uar(),
                rings.number(),
                base.rings(),
                base.regions(),
                markers,
                lock);
    }

    /** Returns the ring of a queue that Java polls, otherwise null. */
    static CqRing ringOf(CompletionQueue cq) {
        return cq instanceof Mlx5CompletionQueue known ? known.ring : null;
    }

    CqRing ring() {
        return ring;
    }

    /** Refuses a completion queue that device code has, for a new queue pair. */
    static void requireUsable(CompletionQueue cq) {
        CqRing ring = ringOf(cq);
        if (ring != null) {
            ring.requireUsable();
        }
    }

    /** Returns whether the queue belongs to a context and is not closed. */
    boolean isOpenOf(Mlx5Context context) {
        return base == context && pin().isOpen();
    }

    /** Creates the reader for its completions. The clock, unless it is null, is freed with the queue. */
    CqReader reader(long wcFlags, TickClock withClock) {
        clock = withClock;
        return new TimedReader(ring, wcFlags, withClock, this::isOverrun);
    }

    @Override
    public void eventFetched() {
        ring.eventFetched();
    }

    @Override
    public synchronized void changeSize(int cqe) {
        int count = Math.max(1, Integer.highestOneBit(cqe) << 1); // cqe + 1, rounded up
        if (count != ring.count()) {
            move(count);
        }
    }

    private void move(int count) {
        if ((long) count * ring.size() > Integer.MAX_VALUE) {
            throw new VerbsException(
                    Errno.EINVAL, "resize_cq", "a completion queue can't hold " + count + " completions");
        }
        CqMemory next = new CqMemory(count, ring.size());
        try {
            ring.resize(next.buf(), count, () -> next.use(address()));
        } catch (VerbsException e) {
            next.close();
            throw e;
        }
        free();
        memory = next;
        resized(count - 1);
    }

    private void free() {
        if (memory != null) {
            memory.close();
            memory = null;
        }
    }

    /** The ring itself drops the completions that Java reads. */
    @Override
    public void takingIn(Runnable destroy) {
        destroy.run();
    }

    @Override
    public void lookForMarker(int qpNum) {
        ring.lookForMarker(qpNum);
    }

    @Override
    public void dropCompletionsOf(IbvQp qp) {
        ring.clean(qp.qpNum(), qp.srq() instanceof Mlx5SharedReceiveQueue srq ? srq.ring : null);
        if (qp instanceof Mlx5Qp known && known.frames() != null) {
            ring.frameReceives().clean(known.frames());
        }
    }

    @Override
    public synchronized void destroy() {
        ring.requireReleased("destroy_cq");
        ring.close(super::destroy);
        base.locks().remove(lock);
        free();
        if (clock != null) {
            clock.free();
        }
    }
}
