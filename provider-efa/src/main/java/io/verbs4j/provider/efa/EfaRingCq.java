/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.provider.efa.dv.RingQueries;
import io.verbs4j.provider.efa.ring.CqRing;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.IbvQp;

/** The native side of a completion queue that Java polls and arms. */
final class EfaRingCq extends IbvCq {
    private final EfaContext base;
    private final RingLock lock;
    private final CqRing ring;

    /**
     * Wraps a {@code struct ibv_cq}.
     *
     * @param singleThreaded whether the program promises that no two threads use the queue at the same time
     */
    EfaRingCq(EfaContext base, long cq, boolean singleThreaded) {
        super(cq, base.functions(), base.quirks(), base.windows());
        this.base = base;
        lock = base.locks().make(singleThreaded);
        ring = new CqRing(RingQueries.completionQueue(cq), base.rings(), lock);
    }

    CqRing ring() {
        return ring;
    }

    @Override
    public void eventFetched() {
        ring.eventFetched();
    }

    @Override
    public void dropCompletionsOf(IbvQp qp) {
        if (qp instanceof EfaRingQp known) {
            known.begin(this);
        }
    }

    @Override
    public void destroy() {
        ring.requireReleased("destroy_cq");
        ring.close(super::destroy);
        base.locks().remove(lock);
    }
}
