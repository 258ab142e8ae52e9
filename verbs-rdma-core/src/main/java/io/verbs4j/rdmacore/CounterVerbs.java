/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.CompCntrCaps;
import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompCntrOps;
import io.verbs4j.CompletionCounter;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.QpAttachCompCntrAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.CompCntrCapsLayout;
import io.verbs4j.rdmacore.layout.CompCntrInitAttrLayout;
import io.verbs4j.rdmacore.layout.QpAttachCompCntrAttrLayout;
import io.verbs4j.rdmacore.object.IbvCounter;
import io.verbs4j.rdmacore.object.NativeCompletionCounter;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.slot.CreateCompCntr;
import io.verbs4j.slot.DestroyCompCntr;
import io.verbs4j.slot.QpAttachCompCntr;
import io.verbs4j.slot.QueryCompCntrCaps;

/** Implements completion counters, which came with rdma-core 65. */
final class CounterVerbs {
    private final NativeContext base;
    private final NativeFunction queryCaps = Libibverbs.find("_ibv_query_comp_cntr_caps");
    private final NativeFunction create = Libibverbs.find("ibv_create_comp_cntr");
    private final NativeFunction destroy = Libibverbs.find("ibv_destroy_comp_cntr");
    private final NativeFunction attach = Libibverbs.find("ibv_qp_attach_comp_cntr");

    CounterVerbs(NativeContext base) {
        this.base = base;
    }

    /**
     * Fills the slots if the device reports counters: up to rdma-core 65 that is EFA alone, and not all of its devices.
     */
    void fill(ContextTable table) {
        if (queryCaps == null || create == null || destroy == null || attach == null || !hasCounters()) {
            return;
        }
        table.fillProvider(ContextSlot.QUERY_COMP_CNTR_CAPS, (QueryCompCntrCaps) this::queryCaps);
        table.fillProvider(ContextSlot.CREATE_COMP_CNTR, (CreateCompCntr) this::create);
        table.fillProvider(ContextSlot.DESTROY_COMP_CNTR, (DestroyCompCntr) this::destroy);
        table.fillProvider(ContextSlot.QP_ATTACH_COMP_CNTR, (QpAttachCompCntr) this::attach);
    }

    private boolean hasCounters() {
        try (Scratch c = new Scratch(CompCntrCapsLayout.SIZEOF)) {
            return !Answers.isLacking(Answers.errno(ask(c)));
        }
    }

    private long ask(Scratch into) {
        return queryCaps.call(base.address(), into.address(), CompCntrCapsLayout.SIZEOF);
    }

    private void queryCaps(CompCntrCaps caps) {
        try (Scratch c = new Scratch(CompCntrCapsLayout.SIZEOF)) {
            long at = c.address();
            Answers.check("query_comp_cntr_caps", ask(c));
            caps.offer(CompCntrCaps.MAX_VALUE, NativeMemory.getLong(at + CompCntrCapsLayout.MAX_VALUE));
            caps.offer(CompCntrCaps.MAX_COUNTERS, NativeMemory.getInt(at + CompCntrCapsLayout.MAX_COUNTERS));
            caps.offer(
                    CompCntrCaps.SUPPORTED_QP_ATTACH_OPS,
                    NativeMemory.getInt(at + CompCntrCapsLayout.SUPPORTED_QP_ATTACH_OPS));
        }
    }

    private CompletionCounter create(CompCntrInitAttr attr) {
        String verb = "create_comp_cntr";
        Answers.refuseUnknown(verb, attr, 0);
        try (Scratch c = new Scratch(CompCntrInitAttrLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + CompCntrInitAttrLayout.TYPE, attr.type());
            long counter = Answers.checkPointer(verb, create.call(base.address(), c.address()));
            return new NativeCompletionCounter(base.context(), new IbvCounter(counter));
        }
    }

    private void destroy(CompletionCounter counter) {
        IbvCounter ibv = ((NativeCompletionCounter) counter).ibv;
        ibv.pin().closeFor(() -> Answers.check("destroy_comp_cntr", destroy.call(ibv.address())));
    }

    private void attach(QueuePair qp, CompletionCounter counter, QpAttachCompCntrAttr attr) {
        String verb = "qp_attach_comp_cntr";
        Answers.refuseUnknown(verb, attr, 0);
        requireCounted(verb, attr.opMask());
        try (Scratch c = new Scratch(QpAttachCompCntrAttrLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + QpAttachCompCntrAttrLayout.OP_MASK, attr.opMask());
            long of = ((NativeQueuePair) qp).ibv.address();
            Answers.check(verb, attach.call(of, ((NativeCompletionCounter) counter).ibv.address(), c.address()));
        }
    }

    /**
     * Rejects operations that the device does not count. The kernel reports those with EINVAL, as it does many other
     * errors.
     */
    private void requireCounted(String verb, int ops) {
        CompCntrCaps caps = new CompCntrCaps();
        queryCaps(caps);
        int unknown = ops & ~caps.supportedQpAttachOps();
        if (unknown != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the device can't count " + CompCntrOps.toString(unknown) + ", only "
                            + CompCntrOps.toString(caps.supportedQpAttachOps()));
        }
    }
}
