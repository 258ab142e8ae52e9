/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.CompCntrCaps;
import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompCntrOps;
import io.verbs4j.CompCntrType;
import io.verbs4j.CompletionCounter;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.QpAttachCompCntrAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.qp.RxeCompletionCounter;
import io.verbs4j.slot.CreateCompCntr;
import io.verbs4j.slot.DestroyCompCntr;
import io.verbs4j.slot.QpAttachCompCntr;
import io.verbs4j.slot.QueryCompCntrCaps;
import java.util.concurrent.atomic.AtomicInteger;

/** The completion counter verbs of an open embedded device. The library has already checked states and attachments. */
final class RxeCounterVerbs implements QueryCompCntrCaps, CreateCompCntr, DestroyCompCntr, QpAttachCompCntr {
    /** Number of completion counters that a device has. */
    static final int MOST = 1 << 16;

    private final Context context;
    private final AtomicInteger used;

    RxeCounterVerbs(Context context, Port port) {
        this.context = context;
        this.used = port.completionCounters();
    }

    void fill(ContextTable table) {
        table.fillProvider(ContextSlot.QUERY_COMP_CNTR_CAPS, this);
        table.fillProvider(ContextSlot.CREATE_COMP_CNTR, this);
        table.fillProvider(ContextSlot.DESTROY_COMP_CNTR, this);
        table.fillProvider(ContextSlot.QP_ATTACH_COMP_CNTR, this);
    }

    @Override
    public void queryCompCntrCaps(CompCntrCaps caps) {
        caps.offer(CompCntrCaps.MAX_VALUE, -1L);
        caps.offer(CompCntrCaps.MAX_COUNTERS, MOST);
        caps.offer(CompCntrCaps.SUPPORTED_QP_ATTACH_OPS, RxeCompletionCounter.OPS);
    }

    @Override
    public CompletionCounter createCompCntr(CompCntrInitAttr attr) {
        String verb = "create_comp_cntr";
        RxeLimits.refuseUnknown(verb, attr, 0);
        int type = attr.type();
        if (type != CompCntrType.WRS && type != CompCntrType.BYTES) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, verb, "the device counts WRS and BYTES, not " + CompCntrType.toString(type));
        }
        if (used.incrementAndGet() > MOST) {
            used.decrementAndGet();
            throw new VerbsException(
                    Errno.ENOMEM, verb, "all " + MOST + " completion counters of the device are in use; close some");
        }
        return new RxeCompletionCounter(context, type == CompCntrType.BYTES);
    }

    @Override
    public void destroyCompCntr(CompletionCounter counter) {
        ((RxeCompletionCounter) counter).counter.close();
        used.decrementAndGet();
    }

    @Override
    public void qpAttachCompCntr(QueuePair qp, CompletionCounter counter, QpAttachCompCntrAttr attr) {
        String verb = "qp_attach_comp_cntr";
        RxeLimits.refuseUnknown(verb, attr, 0);
        int unknown = attr.opMask() & ~RxeCompletionCounter.OPS;
        if (unknown != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "ops has " + CompCntrOps.toString(unknown) + ", which the device does not count");
        }
        if (qp.qpType() == QpType.XRC_RECV) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, verb, "queue pairs of type XRC_RECV have no counters; use one of another type");
        }
        RxeContext.queuePair(qp).attachCounter((RxeCompletionCounter) counter, attr.opMask());
    }
}
