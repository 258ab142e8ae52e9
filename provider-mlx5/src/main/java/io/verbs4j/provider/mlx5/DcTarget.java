/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.layout.QpLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.object.NativeQueuePair;

/**
 * A DC target. It has no queues of its own: messages go to its shared receive queue. Its number is known in RTR, when the device
 * makes it; that of the handle stays 0.
 */
final class DcTarget extends NativeQueuePair {
    /** What the kernel's driver answers a query with. */
    private static final int READABLE = QpAttrMask.STATE
            | QpAttrMask.ACCESS_FLAGS
            | QpAttrMask.PORT
            | QpAttrMask.MIN_RNR_TIMER
            | QpAttrMask.AV
            | QpAttrMask.PATH_MTU
            | QpAttrMask.PKEY_INDEX;

    private final Mlx5Context base;
    private volatile int number;

    DcTarget(Mlx5Context base, QpInitAttrEx attr, long qp) {
        super(base.context(), attr, qp, base.functions(), base.regions());
        this.base = base;
    }

    @Override
    public int number() {
        return number;
    }

    int dctNumber() {
        if (number == 0) {
            throw new VerbsException(
                    Errno.EINVAL, "mlx5dv", "the target has no number before RTR; modify it to RTR first");
        }
        return number;
    }

    /** The state, of which the kernel tells nothing before RTR; and what of the rest it tells. */
    int readable(int mask, QpAttr attr) {
        attr.qpState(state()).curQpState(state());
        return state() == QpState.RTR ? mask & READABLE : 0;
    }

    @Override
    protected void state(int newState) {
        super.state(newState);
        if (newState == QpState.RTR) {
            number = NativeMemory.getInt(address() + QpLayout.QP_NUM);
            if (srq() instanceof Mlx5SharedReceiveQueue srq) {
                base.rings().add(number, this, null, null, srq.ring());
            }
        }
    }

    @Override
    public void destroy() {
        super.destroy();
        if (srq() instanceof Mlx5SharedReceiveQueue && number != 0) {
            base.rings().remove(number, this); // then its completions are dropped
        }
    }
}
