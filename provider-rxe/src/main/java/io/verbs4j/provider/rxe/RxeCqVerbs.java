/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.ModifyCqMask;
import io.verbs4j.WcExFlags;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.queue.CqOptions;
import io.verbs4j.provider.rxe.queue.RxeCompletionQueue;
import io.verbs4j.provider.rxe.queue.RxeCompletionQueueEx;
import io.verbs4j.slot.CreateCqEx;
import io.verbs4j.slot.ModifyCq;

/** The level 3 verbs for completion queues of an open embedded device. */
final class RxeCqVerbs implements CreateCqEx, ModifyCq {
    private static final long NANOS_PER_MICRO = 1_000;

    private final RxeContext base;
    private final Context context;
    private final Port port;
    private final RxeLimits limits;

    RxeCqVerbs(RxeContext base, Context context, Port port, RxeLimits limits) {
        this.base = base;
        this.context = context;
        this.port = port;
        this.limits = limits;
    }

    void fill(ContextTable table) {
        table.fillProvider(ContextSlot.CREATE_CQ_EX, this);
        table.fillProvider(ContextSlot.MODIFY_CQ, this);
    }

    @Override
    public CompletionQueue createCqEx(CqInitAttrEx attr) {
        String verb = "create_cq_ex";
        RxeLimits.refuseUnknown(verb, attr, CqInitAttrMask.FLAGS | CqInitAttrMask.PD);
        RxeLimits.checkCqFlags(verb, attr.wcFlags(), attr.flags());
        limits.checkCqe(verb, attr.cqe());
        boolean oneThread = (attr.flags() & CqCreateFlags.SINGLE_THREADED) != 0
                || attr.parentDomain() != null && attr.parentDomain().td() != null;
        CqOptions options = new CqOptions(
                (attr.wcFlags() & WcExFlags.COMPLETION_TIMESTAMP) == 0 ? null : port.tickClock(),
                (attr.wcFlags() & WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK) == 0 ? null : port.wallClock(),
                oneThread,
                (attr.wcFlags() & WcExFlags.TM_INFO) != 0,
                (attr.flags() & CqCreateFlags.IGNORE_OVERRUN) != 0);
        try {
            return new RxeCompletionQueueEx(context, attr, port, base, options);
        } catch (OutOfMemoryError e) {
            throw RxeContext.noMemory(verb, e);
        }
    }

    @Override
    public void modifyCq(CompletionQueue cq, ModifyCqAttr attr) {
        String verb = "modify_cq";
        RxeLimits.refuseUnknown(verb, attr, ModifyCqMask.MODERATE);
        RxeLimits.checkModeration(verb, attr.cqCount(), attr.cqPeriod());
        if ((attr.compMask() & ModifyCqMask.MODERATE) != 0) {
            ((RxeCompletionQueue) cq).cq.moderate(attr.cqCount(), attr.cqPeriod() * NANOS_PER_MICRO);
        }
    }
}
