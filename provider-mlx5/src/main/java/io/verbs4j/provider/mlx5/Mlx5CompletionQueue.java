/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.CompletionChannel;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.ring.CqRing;
import io.verbs4j.provider.mlx5.ring.RingLock;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;

/** A completion queue that Java polls and arms. */
final class Mlx5CompletionQueue extends NativeCompletionQueue {
    private final Mlx5Context base;
    private final RingLock lock;
    private final CqRing ring;

    Mlx5CompletionQueue(Mlx5Context base, Object userContext, CompletionChannel channel, long cq) {
        super(base.context(), userContext, channel, cq, base.functions());
        this.base = base;
        lock = base.locks().make();
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
                lock);
    }

    CqRing ring() {
        return ring;
    }

    @Override
    public int poll(int numEntries, WorkCompletion[] wc) {
        return ring.poll(numEntries, wc);
    }

    @Override
    public int reqNotify(boolean solicitedOnly) {
        return ring.arm(solicitedOnly);
    }

    @Override
    public void eventFetched() {
        ring.eventFetched();
    }

    /** libmlx5 would move completions by its own count of what was polled, which stands still. */
    @Override
    public void changeSize(int cqe) {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "resize_cq",
                "a queue that Java polls can't be resized; make it larger at once, or use -D" + DataPath.PATH
                        + "=native");
    }

    @Override
    public void dropCompletionsOf(NativeQueuePair qp) {
        ring.clean(qp.number(), qp.srq() instanceof Mlx5SharedReceiveQueue srq ? srq.ring() : null);
    }

    @Override
    public void destroy() {
        ring.close(super::destroy);
        base.locks().remove(lock);
    }
}
