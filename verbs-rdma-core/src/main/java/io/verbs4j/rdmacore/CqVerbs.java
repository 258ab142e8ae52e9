/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.Errno;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.ModifyCqMask;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.CqInitAttrExLayout;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.ModifyCqAttrLayout;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.IbvCqEx;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.slot.CreateCqEx;
import io.verbs4j.slot.ModifyCq;
import java.util.function.LongUnaryOperator;

/** Implements the verbs for completion queues. */
final class CqVerbs {
    private static final String VERB = "create_cq_ex";
    private static final int FLAGS = CqCreateFlags.SINGLE_THREADED | CqCreateFlags.IGNORE_OVERRUN;
    private static final int KNOWN_FLAGS = FLAGS | CqCreateFlags.OPTIONAL_RANGE;

    /** The fields that can be read from a completion. */
    private static final long WC_FLAGS = WcExFlags.STANDARD
            | WcExFlags.COMPLETION_TIMESTAMP
            | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK
            | WcExFlags.CVLAN
            | WcExFlags.FLOW_TAG;

    private final NativeContext base;
    private final EventVerbs events;
    private final NativeFunction modifyCq;

    CqVerbs(NativeContext base, EventVerbs events) {
        this.base = base;
        this.events = events;
        modifyCq = base.functions().extended(ExtendedContextLayout.MODIFY_CQ);
    }

    void fill(ContextTable table) {
        NativeFunction create = base.functions().extended(ExtendedContextLayout.CREATE_CQ_EX);
        if (create != null) {
            table.fillProvider(ContextSlot.CREATE_CQ_EX, (CreateCqEx)
                    attr -> create(attr, at -> create.call(base.address(), at)));
        }
        if (modifyCq != null) {
            table.fillProvider(ContextSlot.MODIFY_CQ, (ModifyCq) this::modifyCq);
        }
    }

    CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        long cq = Libibverbs.ibv_create_cq(base.address(), cqe, 0, IbvObject.addressOf(channel), compVector);
        Answers.checkPointer("create_cq", cq);
        return known(base.newCompletionQueue(userContext, channel, cq));
    }

    /** Checks the requested fields. Queries the device only if tag matching is requested, and only once. */
    private void requireReadable(String verb, long wcFlags) {
        if ((wcFlags & ~WC_FLAGS) == 0) {
            return;
        }
        long readable = base.maxTagSge() > 0 ? WC_FLAGS | WcExFlags.TM_INFO : WC_FLAGS;
        if ((wcFlags & ~readable) != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "wcFlags is " + WcExFlags.toString(wcFlags) + ", but the device supports only "
                            + WcExFlags.toString(readable));
        }
    }

    private CompletionQueue create(CqInitAttrEx attr, LongUnaryOperator create) {
        Answers.refuseUnknown(VERB, attr, CqInitAttrMask.FLAGS | CqInitAttrMask.PD);
        return create(VERB, attr, create);
    }

    /**
     * Creates a queue, possibly by a function of the vendor's, whose caller has checked the mask.
     *
     * @param create takes a {@code struct ibv_cq_init_attr_ex} and returns the {@code struct ibv_cq_ex}, or 0
     */
    NativeCompletionQueue create(String verb, CqInitAttrEx attr, LongUnaryOperator create) {
        boolean hasFlags = (attr.compMask() & CqInitAttrMask.FLAGS) != 0;
        if (hasFlags) {
            Answers.requireKnown(verb, "flags", attr.flags(), KNOWN_FLAGS, CqCreateFlags::toString);
        }
        requireReadable(verb, attr.wcFlags());
        if ((attr.wcFlags() & (WcExFlags.CVLAN | WcExFlags.FLOW_TAG)) != 0) {
            base.requireFrames(verb);
        }
        try (Scratch c = new Scratch(CqInitAttrExLayout.SIZEOF)) {
            long at = c.address();
            NativeMemory.putInt(at + CqInitAttrExLayout.CQE, attr.cqe());
            NativeMemory.putLong(at + CqInitAttrExLayout.CHANNEL, IbvObject.addressOf(attr.channel()));
            NativeMemory.putInt(at + CqInitAttrExLayout.COMP_VECTOR, attr.compVector());
            NativeMemory.putLong(
                    at + CqInitAttrExLayout.WC_FLAGS, IbvCqEx.flagsFor(attr.wcFlags(), base.hasOwnClock(attr)));
            NativeMemory.putLong(at + CqInitAttrExLayout.PARENT_DOMAIN, IbvObject.addressOf(attr.parentDomain()));
            int flags = hasFlags ? attr.flags() & FLAGS : 0;
            putFlags(at, attr, flags);
            long cq = create.applyAsLong(at);
            if (cq == 0 && (flags & CqCreateFlags.SINGLE_THREADED) != 0 && Answers.errno(-1) == Errno.EOPNOTSUPP) {
                // The flag is a promise of the program that the driver may ignore; libefa accepts no flags.
                putFlags(at, attr, flags & ~CqCreateFlags.SINGLE_THREADED);
                cq = create.applyAsLong(at);
            }
            if (cq == 0 && isPlain(attr) && Answers.errno(-1) == Errno.EOPNOTSUPP) {
                return plain(attr);
            }
            return known(attr, Answers.checkPointer(verb, cq));
        }
    }

    /** Writes the flags. Without flags, leaves out their mask bit as well, because some drivers do not know it. */
    private static void putFlags(long at, CqInitAttrEx attr, int flags) {
        long told = attr.compMask() & CqInitAttrMask.PD | (flags == 0 ? 0 : CqInitAttrMask.FLAGS);
        NativeMemory.putInt(at + CqInitAttrExLayout.COMP_MASK, (int) told);
        NativeMemory.putInt(at + CqInitAttrExLayout.FLAGS, flags);
    }

    /**
     * Returns whether the driver's older verb can create the queue. The library fills this slot for all drivers,
     * including those that lack the verb.
     */
    private static boolean isPlain(CqInitAttrEx attr) {
        return attr.compMask() == 0 && (attr.wcFlags() & ~WcExFlags.STANDARD) == 0;
    }

    /** Creates a queue whose completions cannot be read in place. */
    private NativeCompletionQueue plain(CqInitAttrEx attr) {
        long cq = Libibverbs.ibv_create_cq(
                base.address(), attr.cqe(), 0, IbvObject.addressOf(attr.channel()), attr.compVector());
        IbvCq ibv = new IbvCq(Answers.checkPointer(VERB, cq), base.functions(), base.quirks(), base.windows());
        return known(new NativeCompletionQueue(
                base.context(), attr.userContext(), attr.channel(), ibv, attr.wcFlags(), null));
    }

    private NativeCompletionQueue known(CqInitAttrEx attr, long cq) {
        try {
            return known(base.newCompletionQueue(attr, cq));
        } catch (RuntimeException e) {
            Libibverbs.ibv_destroy_cq(cq);
            throw e;
        }
    }

    /** Registers a queue for events, which may arrive from now on; other handles have the like. */
    NativeCompletionQueue known(NativeCompletionQueue cq) {
        return events.known(cq.ibv, cq);
    }

    private void modifyCq(CompletionQueue cq, ModifyCqAttr attr) {
        String verb = "modify_cq";
        Answers.refuseUnknown(verb, attr, ModifyCqMask.MODERATE);
        try (Scratch c = new Scratch(ModifyCqAttrLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + ModifyCqAttrLayout.ATTR_MASK, (int) attr.compMask());
            NativeMemory.putShort(
                    c.address() + ModifyCqAttrLayout.MODERATE_CQ_COUNT,
                    Answers.narrow(verb, "cqCount", attr.cqCount(), 0xffff));
            NativeMemory.putShort(
                    c.address() + ModifyCqAttrLayout.MODERATE_CQ_PERIOD,
                    Answers.narrow(verb, "cqPeriod", attr.cqPeriod(), 0xffff));
            Answers.check(verb, modifyCq.call(IbvObject.addressOf(cq), c.address()));
        }
    }

    void destroyCq(CompletionQueue handle) {
        IbvCq cq = ((NativeCompletionQueue) handle).ibv;
        cq.pin().closeFor(cq::destroy);
        events.forget(cq, handle);
    }
}
