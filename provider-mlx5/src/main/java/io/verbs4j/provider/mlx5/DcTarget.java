/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.provider.mlx5.ring.CqRing;
import io.verbs4j.provider.mlx5.ring.Rings;
import io.verbs4j.rdmacore.object.IbvQp;

/**
 * The native side of a DC target. It has no queues of its own: messages go to its shared receive queue. The device
 * assigns its number in RTR.
 */
final class DcTarget extends IbvQp {
    /** The attributes that the kernel's driver returns from a query. */
    private static final int READABLE = QpAttrMask.STATE
            | QpAttrMask.ACCESS_FLAGS
            | QpAttrMask.PORT
            | QpAttrMask.MIN_RNR_TIMER
            | QpAttrMask.AV
            | QpAttrMask.PATH_MTU
            | QpAttrMask.PKEY_INDEX;

    private final Mlx5Context base;
    private final CqRing cq;
    private Rings.Entry entry; // null if there can be no completions

    DcTarget(Mlx5Context base, QpInitAttrEx attr, long qp) {
        super(attr, 0, qp, base.functions(), base.quirks(), base.regions(), base.windows());
        this.base = base;
        this.cq = Mlx5Cq.ringOf(attr.recvCq());
    }

    /**
     * Sets the state, which the kernel does not report before RTR; returns the part of the mask that the kernel
     * reports.
     */
    int readable(int mask, QpAttr attr) {
        attr.qpState(state()).curQpState(state());
        return state() == QpState.RTR ? mask & READABLE : 0;
    }

    @Override
    protected void state(int newState) {
        super.state(newState);
        if (newState == QpState.RTR) {
            numbered();
            if (srq() instanceof Mlx5SharedReceiveQueue srq) {
                entry = base.rings().add(new Rings.Entry(qpNum(), this, null, null, srq.ring, null, null, cq));
            }
        }
    }

    @Override
    public void destroy() {
        if (entry == null) {
            super.destroy();
        } else {
            base.rings().destroy(entry, super::destroy);
        }
    }
}
