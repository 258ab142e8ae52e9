/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.gaudi.dv.CqPlace;
import io.verbs4j.provider.gaudi.ring.CqRing;
import io.verbs4j.rdmacore.layout.CqLayout;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.IbvQp;

/** The native side of a completion queue that Java polls, as libhbl has no verb for this. */
final class GaudiCq extends IbvCq {
    private final GaudiContext base;
    private final RingLock lock;
    private final CqRing ring;

    /**
     * Wraps a {@code struct ibv_cq}.
     *
     * @param where memory layout of the queue, which must have registers
     * @param singleThreaded whether the program promises that no two threads use the queue at the same time
     */
    GaudiCq(GaudiContext base, long cq, GaudiPort port, CqPlace where, boolean singleThreaded) {
        super(cq, base.functions(), base.quirks(), base.windows(), false);
        this.base = base;
        lock = base.locks().make(singleThreaded);
        ring = new CqRing(
                new CqRing.Place(
                        where.memCpuAddr(),
                        NativeMemory.getInt(cq + CqLayout.CQE),
                        where.piCpuAddr(),
                        where.regsCpuAddr() + where.regsOffset(),
                        where.cqNum()),
                port.rings(),
                lock);
    }

    CqRing ring() {
        return ring;
    }

    @Override
    public void dropCompletionsOf(IbvQp qp) {
        if (qp instanceof GaudiQp known) {
            known.renounce(ring);
        }
    }

    @Override
    public void destroy() {
        ring.close(super::destroy);
        base.locks().remove(lock);
    }
}
