/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Librdmacm;
import io.verbs4j.rdmacore.layout.QpAttrLayout;
import io.verbs4j.rdmacore.marshal.QpAttrs;

/** The attributes for a queue pair's state changes, by {@code rdma_init_qp_attr}. */
final class CmMoves {
    /**
     * 0.64 ms, as the connection manager in Java uses; the kernel's 0 means 655 ms, which delays a first message that
     * arrives before its receive is posted.
     */
    private static final int MIN_RNR_TIMER = 12;

    private CmMoves() {}

    static QpAttr attributes(String verb, long id, int target, boolean datagrams) {
        if (target != QpState.INIT && target != QpState.RTR && target != QpState.RTS) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "no attributes for state " + QpState.toString(target) + "; only INIT, RTR and RTS have some");
        }
        if (datagrams && target != QpState.INIT) { // the kernel supports INIT only for these
            QpAttr move = new QpAttr().qpState(target);
            return target == QpState.RTS ? move.sqPsn(0) : move;
        }
        try (Scratch c = new Scratch(QpAttrLayout.SIZEOF);
                Scratch mask = new Scratch(Integer.BYTES)) {
            NativeMemory.putInt(c.address() + QpAttrLayout.QP_STATE, target);
            CmErrors.check(verb, Librdmacm.rdma_init_qp_attr(id, c.address(), mask.address()));
            QpAttr attr = QpAttrs.readMasked(c.address(), NativeMemory.getInt(mask.address()));
            if ((attr.mask() & QpAttrMask.MIN_RNR_TIMER) != 0 && attr.minRnrTimer() == 0) {
                attr.minRnrTimer(MIN_RNR_TIMER);
            }
            return attr;
        }
    }
}
