/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqAttrMask;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqInitAttrMask;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.SrqAttrLayout;
import io.verbs4j.rdmacore.layout.SrqInitAttrExLayout;
import io.verbs4j.rdmacore.layout.SrqInitAttrLayout;
import io.verbs4j.rdmacore.object.IbvCqEx;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.IbvSrq;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.GetSrqNum;

/** Implements the verbs for shared receive queues. */
final class SrqVerbs {
    private static final long SRQ_BITS =
            SrqInitAttrMask.TYPE | SrqInitAttrMask.PD | SrqInitAttrMask.XRCD | SrqInitAttrMask.CQ | SrqInitAttrMask.TM;
    private static final int SRQ_ATTRIBUTES = SrqAttrMask.MAX_WR | SrqAttrMask.LIMIT;

    private final NativeContext base;
    private final EventVerbs events;
    private final ContextFunctions functions;

    SrqVerbs(NativeContext base, EventVerbs events) {
        this.base = base;
        this.events = events;
        functions = base.functions();
    }

    void fill(ContextTable table) {
        fill(table, ContextSlot.CREATE_SRQ_EX, ExtendedContextLayout.CREATE_SRQ_EX, (CreateSrqEx) this::createSrqEx);
        fill(table, ContextSlot.GET_SRQ_NUM, ExtendedContextLayout.GET_SRQ_NUM, (GetSrqNum) this::getSrqNum);
    }

    private void fill(ContextTable table, int slot, int nativeSlot, Object function) {
        if (functions.extended(nativeSlot) != null) {
            table.fillProvider(slot, function);
        }
    }

    SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
        try (Scratch c = new Scratch(SrqInitAttrLayout.SIZEOF)) {
            writeSrqAttr(c.address() + SrqInitAttrLayout.ATTR, attr.attr());
            long srq = Libibverbs.ibv_create_srq(IbvObject.addressOf(pd), c.address());
            Answers.checkPointer("create_srq", srq);
            readSrqAttr(c.address() + SrqInitAttrLayout.ATTR, attr.attr());
            return known(base.newSharedReceiveQueue(SrqInitAttrEx.of(pd, attr), srq));
        }
    }

    private static void writeSrqAttr(long at, SrqAttr attr) {
        NativeMemory.putInt(at + SrqAttrLayout.MAX_WR, attr.maxWr());
        NativeMemory.putInt(at + SrqAttrLayout.MAX_SGE, attr.maxSge());
        NativeMemory.putInt(at + SrqAttrLayout.SRQ_LIMIT, attr.srqLimit());
    }

    private static void readSrqAttr(long at, SrqAttr attr) {
        attr.maxWr(NativeMemory.getInt(at + SrqAttrLayout.MAX_WR))
                .maxSge(NativeMemory.getInt(at + SrqAttrLayout.MAX_SGE));
    }

    /**
     * Creates a queue as C's inline function does: by {@code ibv_create_srq} if that suffices, for drivers without the
     * extended verb.
     */
    private SharedReceiveQueue createSrqEx(SrqInitAttrEx attr) {
        String verb = "create_srq_ex";
        Answers.refuseUnknown(verb, attr, SRQ_BITS);
        if (attr.srqType() == SrqType.BASIC) {
            return createSrq(attr.pd(), attr.toBase()); // shares the capacities
        }
        int tagSge = attr.srqType() == SrqType.TM ? base.maxTagSge() : 0;
        if (tagSge > 0) {
            requireReadable(verb, attr);
        } else if (attr.srqType() != SrqType.XRC) {
            // Drivers read further settings of such queues, for which there are no attributes.
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the device has no shared receive queues of type " + SrqType.toString(attr.srqType()));
        }
        try (Scratch c = new Scratch(SrqInitAttrExLayout.SIZEOF)) {
            long at = c.address();
            writeSrqAttr(at + SrqInitAttrExLayout.ATTR, attr.attr());
            NativeMemory.putInt(at + SrqInitAttrExLayout.COMP_MASK, (int) (attr.compMask() & SRQ_BITS));
            NativeMemory.putInt(at + SrqInitAttrExLayout.SRQ_TYPE, attr.srqType());
            NativeMemory.putLong(at + SrqInitAttrExLayout.PD, IbvObject.addressOf(attr.pd()));
            NativeMemory.putLong(at + SrqInitAttrExLayout.XRCD, IbvObject.addressOf(attr.xrcd()));
            NativeMemory.putLong(at + SrqInitAttrExLayout.CQ, IbvObject.addressOf(attr.cq()));
            NativeMemory.putInt(at + SrqInitAttrExLayout.TM_CAP_MAX_NUM_TAGS, attr.tmMaxNumTags());
            NativeMemory.putInt(at + SrqInitAttrExLayout.TM_CAP_MAX_OPS, attr.tmMaxOps());
            long srq = slot(ExtendedContextLayout.CREATE_SRQ_EX).call(base.address(), at);
            Answers.checkPointer(verb, srq);
            readSrqAttr(at + SrqInitAttrExLayout.ATTR, attr.attr());
            return known(
                    tagSge > 0
                            ? new NativeSharedReceiveQueue(
                                    base.context(), attr, new IbvSrq(attr, srq, functions, tagSge))
                            : base.newSharedReceiveQueue(attr, srq));
        }
    }

    /**
     * Checks a queue for tag matching. libmlx5 can read its completions only one by one, and older libraries do not
     * check for missing attributes.
     */
    private static void requireReadable(String verb, SrqInitAttrEx attr) {
        long needed = SrqInitAttrMask.CQ | SrqInitAttrMask.TM;
        if ((attr.compMask() & needed) != needed || attr.tmMaxNumTags() < 1 || attr.tmMaxOps() < 1) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "a shared receive queue of type TM needs a completion queue, and tmCap with values of at least 1");
        }
        if ((attr.cq().wcFlags() & WcExFlags.TM_INFO) == 0
                || !(((NativeCompletionQueue) attr.cq()).ibv instanceof IbvCqEx)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "the completion queue of a shared receive queue of type TM must be created by createCqEx with"
                            + " TM_INFO; otherwise the driver can't poll its completions");
        }
    }

    private NativeFunction slot(int nativeSlot) {
        return functions.extended(nativeSlot); // not null: otherwise our slot would be empty
    }

    private int getSrqNum(SharedReceiveQueue srq) {
        try (Scratch number = new Scratch(Integer.BYTES)) {
            long answer = slot(ExtendedContextLayout.GET_SRQ_NUM).call(IbvObject.addressOf(srq), number.address());
            Answers.check("get_srq_num", answer);
            return NativeMemory.getInt(number.address());
        }
    }

    NativeSharedReceiveQueue known(NativeSharedReceiveQueue srq) {
        return events.known(srq.ibv, srq);
    }

    void modifySrq(SharedReceiveQueue srq, SrqAttr attr, int mask) {
        Answers.requireKnown("modify_srq", "the mask", mask, SRQ_ATTRIBUTES, SrqAttrMask::toString);
        try (Scratch c = new Scratch(SrqAttrLayout.SIZEOF)) {
            writeSrqAttr(c.address(), attr);
            Answers.check("modify_srq", Libibverbs.ibv_modify_srq(IbvObject.addressOf(srq), c.address(), mask));
            if ((mask & SrqAttrMask.MAX_WR) != 0) {
                ((NativeSharedReceiveQueue) srq).ibv.resized();
            }
        }
    }

    void querySrq(SharedReceiveQueue srq, SrqAttr attr) {
        try (Scratch c = new Scratch(SrqAttrLayout.SIZEOF)) {
            Answers.check("query_srq", Libibverbs.ibv_query_srq(IbvObject.addressOf(srq), c.address()));
            readSrqAttr(c.address(), attr);
            if (base.quirks().reservesSrqElements()) {
                ((NativeSharedReceiveQueue) srq).ibv.clip(attr);
            }
            attr.srqLimit(NativeMemory.getInt(c.address() + SrqAttrLayout.SRQ_LIMIT));
        }
    }

    void destroySrq(SharedReceiveQueue handle) {
        IbvSrq srq = ((NativeSharedReceiveQueue) handle).ibv;
        // The driver remembers an XRC queue while completions of its completion queue are read.
        srq.pin().closeFor(() -> IbvQp.holding("destroy_srq", handle.cq(), () -> destroy(srq, handle.cq())));
        events.forget(srq, handle);
    }

    private static void destroy(IbvSrq srq, CompletionQueue cq) {
        if (cq == null) {
            srq.destroy();
        } else {
            ((NativeCompletionQueue) cq).ibv.takingIn(srq::destroy);
        }
    }
}
