/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.QpStateTable;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqAttrMask;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.QpAttrLayout;
import io.verbs4j.rdmacore.layout.QpInitAttrExLayout;
import io.verbs4j.rdmacore.layout.QpInitAttrLayout;
import io.verbs4j.rdmacore.layout.SrqAttrLayout;
import io.verbs4j.rdmacore.layout.SrqInitAttrLayout;
import io.verbs4j.rdmacore.marshal.AhAttrs;
import io.verbs4j.rdmacore.marshal.QpAttrs;
import io.verbs4j.rdmacore.marshal.QpInitMask;

import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.IbvSrq;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import io.verbs4j.rdmacore.object.QpExFunctions;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/** Completion queues, shared receive queues and queue pairs. */
final class QueueVerbs {
    private static final int SRQ_ATTRIBUTES = SrqAttrMask.MAX_WR | SrqAttrMask.LIMIT;

    private final NativeContext base;
    private final EventVerbs events;

    /**
     * The numbers of queue pairs. What a queue pair that is destroyed has left is known by its number alone, so no other may get the
     * number before that is dropped: makers share the lock, and who destroys has it alone.
     */
    private final ReadWriteLock numbers = new ReentrantReadWriteLock();

    QueueVerbs(NativeContext base, EventVerbs events) {
        this.base = base;
        this.events = events;
    }

    CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        long cq = Libibverbs.ibv_create_cq(base.address(), cqe, 0, IbvObject.addressOf(channel), compVector);
        Answers.checkPointer("create_cq", cq);
        return known(base.newCompletionQueue(userContext, channel, cq));
    }

    /** Makes a queue known, whose events may come from now on. So with the other handles. */
    NativeCompletionQueue known(NativeCompletionQueue cq) {
        return events.known(cq.ibv, cq);
    }

    void destroyCq(CompletionQueue handle) {
        IbvCq cq = ((NativeCompletionQueue) handle).ibv;
        cq.pin().closeFor(cq::destroy);
        events.forget(cq, handle);
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

    static void writeSrqAttr(long at, SrqAttr attr) {
        NativeMemory.putInt(at + SrqAttrLayout.MAX_WR, attr.maxWr());
        NativeMemory.putInt(at + SrqAttrLayout.MAX_SGE, attr.maxSge());
        NativeMemory.putInt(at + SrqAttrLayout.SRQ_LIMIT, attr.srqLimit());
    }

    static void readSrqAttr(long at, SrqAttr attr) {
        attr.maxWr(NativeMemory.getInt(at + SrqAttrLayout.MAX_WR))
                .maxSge(NativeMemory.getInt(at + SrqAttrLayout.MAX_SGE));
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
            if (base.device().kernel.isMlx5()) {
                ((NativeSharedReceiveQueue) srq).ibv.clip(attr);
            }
            attr.srqLimit(NativeMemory.getInt(c.address() + SrqAttrLayout.SRQ_LIMIT));
        }
    }

    void destroySrq(SharedReceiveQueue handle) {
        IbvSrq srq = ((NativeSharedReceiveQueue) handle).ibv;
        // The driver remembers one of type XRC while completions of its queue are read.
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

    /**
     * Makes a queue pair with a protection domain. As C's inline function: {@code ibv_create_qp} serves where nothing else is asked for;
     * flags, and operations that go by {@code ibv_wr_*}, take the extended verb, or libmlx5's own.
     */
    NativeQueuePair createQp(String verb, QpInitAttrEx attr) {
        int flags = CreateFlags.of(verb, attr, base.moreCreateFlags());
        boolean spreads = RssAttrs.isSet(attr);
        boolean cuts = NativeContext.hasTsoHeader(attr);
        if (cuts && !base.deviceQueries().segments(attr.qpType())) { // libmlx5 makes none, and does not say why
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "maxTsoHeader is set, but the device has no TSO for queue pairs of type "
                            + QpType.toString(attr.qpType()) + "; leave it out");
        }
        long operations = spreads ? receivesAlone(verb, attr) : base.operations(verb, attr);
        requireParents(verb, attr);
        long built = operations & base.builtOperations(attr.qpType());
        if (base.copiesFromCompletions()) {
            return createQpEx(
                    verb,
                    attr,
                    knows(attr.qpType()),
                    built == 0 ? 0 : operations,
                    operations,
                    built,
                    at -> Mlx5QueuePairs.create(base.address(), at));
        }
        if (flags != 0 || built != 0 || spreads || cuts) {
            NativeFunction create = base.functions().extended(ExtendedContextLayout.CREATE_QP_EX);
            boolean known = flags == 0 && !spreads && knows(attr.qpType());
            long asked = built == 0 ? 0 : operations;
            return createQpEx(verb, attr, known, asked, operations, built, at -> create.call(base.address(), at));
        }
        base.checkCap(verb, capOf(attr));
        try (Scratch c = new Scratch(QpInitAttrLayout.SIZEOF)) {
            long at = c.address();
            writeInitAttr(at, attr);
            return numbered(() -> {
                long qp = Libibverbs.ibv_create_qp(IbvObject.addressOf(attr.pd()), at);
                Answers.checkPointer(verb, qp, knows(attr.qpType()));
                QpAttrs.readCap(at + QpInitAttrLayout.CAP, attr.cap());
                return base.handleOf(qp, address -> base.newQueuePair(attr, operations, address));
            });
        }
    }

    /**
     * Makes a queue pair by a function that gets a {@code struct ibv_qp_init_attr_ex}.
     *
     * @param known whether EINVAL means that something is wrong, and not that the device can't
     * @param asked what the driver is asked for by its mask of operations; 0 for no mask
     * @param operations what can be posted to it
     * @param built which of these go by {@code ibv_wr_*}
     */
    NativeQueuePair createQpEx(
            String verb,
            QpInitAttrEx attr,
            boolean known,
            long asked,
            long operations,
            long built,
            LongUnaryOperator create) {
        return base.createQp(
                verb,
                attr,
                known,
                at -> {
                    if (asked != 0) {
                        askFor(at, asked & QpExFunctions.OPERATIONS);
                    }
                    return create.applyAsLong(at);
                },
                qp -> {
                    NativeQueuePair handle = base.newQueuePair(attr, operations, qp);
                    if (built != 0) {
                        handle.ibv.buildBy(
                                built,
                                attr.cap().maxInlineData(),
                                base.device().kernel.isMlx5());
                    }
                    return handle;
                });
    }

    /** Asks for operations by {@code ibv_wr_*}, in a {@code struct ibv_qp_init_attr_ex} whose mask is there already. */
    static void askFor(long at, long operations) {
        QpInitMask.add(at, QpInitAttrMask.SEND_OPS_FLAGS);
        NativeMemory.putLong(at + QpInitAttrExLayout.SEND_OPS_FLAGS, operations);
    }

    /** A queue pair that receives by work queues has no queue of its own: libmlx5 makes nothing that could be posted to. */
    private long receivesAlone(String verb, QpInitAttrEx attr) {
        base.requireFrames(verb);
        if (attr.sendCq() != null || attr.cap().maxSendWr() != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "sendCq or cap.maxSendWr is set, but a queue pair with rwqIndTbl only receives; leave them out, and"
                            + " send by another one");
        }
        return SendOperations.of(verb, attr, 0);
    }

    /** Of a type that it does not know the library does not know what it needs, and drivers do not look either. */
    static void requireParents(String verb, QpInitAttrEx attr) {
        Answers.requireByte(verb, "qpType", attr.qpType());
        if (attr.pd() != null && RssAttrs.isSet(attr)) {
            return;
        }
        if (attr.pd() == null || attr.sendCq() == null || attr.recvCq() == null && attr.qpType() != QpType.XRC_SEND) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "a queue pair of type " + QpType.toString(attr.qpType())
                            + " needs pd, sendCq and recvCq; set them");
        }
    }

    /** Whether a type is one that drivers tell from nonsense. */
    static boolean knows(int qpType) {
        return QpStateTable.knows(qpType) || qpType == QpType.RAW_PACKET;
    }

    /** Makes a queue pair, while none is destroyed. */
    NativeQueuePair numbered(Supplier<NativeQueuePair> maker) {
        numbers.readLock().lock();
        try {
            return maker.get();
        } finally {
            numbers.readLock().unlock();
        }
    }

    /**
     * The capacities that count: those of receives are ignored where the queue pair has none of its own,
     * ibv_create_qp(3).
     */
    static QpCap capOf(QpInitAttrEx attr) {
        QpCap cap = attr.cap();
        boolean receives = attr.srq() == null && !IbvQp.hasNoReceives(attr.qpType());
        return receives
                ? cap
                : new QpCap()
                        .maxSendWr(cap.maxSendWr())
                        .maxSendSge(cap.maxSendSge())
                        .maxInlineData(cap.maxInlineData());
    }

    /** Writes a {@code struct ibv_qp_init_attr}, which its extended form begins with. */
    static void writeInitAttr(long at, QpInitAttrEx attr) {
        NativeMemory.putLong(at + QpInitAttrLayout.SEND_CQ, IbvObject.addressOf(attr.sendCq()));
        NativeMemory.putLong(at + QpInitAttrLayout.RECV_CQ, IbvObject.addressOf(attr.recvCq()));
        NativeMemory.putLong(at + QpInitAttrLayout.SRQ, IbvObject.addressOf(attr.srq()));
        QpAttrs.writeCap(at + QpInitAttrLayout.CAP, capOf(attr));
        NativeMemory.putInt(at + QpInitAttrLayout.QP_TYPE, attr.qpType());
        NativeMemory.putInt(at + QpInitAttrLayout.SQ_SIG_ALL, attr.sqSigAll() ? 1 : 0);
    }

    NativeQueuePair known(NativeQueuePair qp) {
        return events.known(qp.ibv, qp);
    }

    NativeSharedReceiveQueue known(NativeSharedReceiveQueue srq) {
        return events.known(srq.ibv, srq);
    }

    void modifyQp(QueuePair handle, QpAttr attr, int mask) {
        long qp = ((NativeQueuePair) handle).ibv.address();
        modifyQp(handle, attr, mask, at -> Libibverbs.ibv_modify_qp(qp, at, mask));
    }

    /**
     * Changes a queue pair by a function of the vendor's.
     *
     * @param function gets a {@code struct ibv_qp_attr}, and answers 0 or what went wrong
     */
    void modifyQp(QueuePair handle, QpAttr attr, int mask, LongUnaryOperator function) {
        IbvQp qp = ((NativeQueuePair) handle).ibv;
        int unknown = mask & ~NativeContext.QP_ATTRIBUTES;
        if (unknown != 0) { // there is nothing that could go with them
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "modify_qp",
                    "the mask has " + QpAttrMask.toString(unknown) + ", which the device does not know; leave it out");
        }
        try (Scratch c = new Scratch(QpAttrLayout.SIZEOF)) {
            QpAttrs.write("modify_qp", c.address(), attr, mask);
            Runnable modify = () -> Answers.check("modify_qp", function.applyAsLong(c.address()));
            if ((mask & QpAttrMask.STATE) == 0) {
                modify.run();
            } else if (attr.qpState() == QpState.RESET) {
                qp.holdingCompletions("modify_qp", () -> qp.change(QpState.RESET, modify));
            } else {
                qp.change(attr.qpState(), modify);
            }
        }
    }

    void queryQp(QueuePair qp, QpAttr attr, int mask, QpInitAttr initAttr) {
        try (Scratch c = new Scratch(QpAttrLayout.SIZEOF);
                Scratch init = new Scratch(QpInitAttrLayout.SIZEOF)) {
            // The mask only says what is wanted, yet libibverbs refuses bits that it does not know.
            int asked = mask & NativeContext.QP_ATTRIBUTES;
            Answers.check(
                    "query_qp",
                    Libibverbs.ibv_query_qp(((NativeQueuePair) qp).ibv.address(), c.address(), asked, init.address()));
            QpAttrs.read(c.address(), attr);
            initAttr.userContext(qp.userContext())
                    .sendCq(qp.sendCq())
                    .recvCq(qp.recvCq())
                    .srq(qp.srq())
                    .qpType(qp.qpType())
                    .cap(QpAttrs.readCap(init.address() + QpInitAttrLayout.CAP, initAttr.cap()))
                    .sqSigAll(NativeMemory.getInt(init.address() + QpInitAttrLayout.SQ_SIG_ALL) != 0);
        }
    }

    void destroyQp(QueuePair handle) {
        IbvQp qp = ((NativeQueuePair) handle).ibv;
        qp.holdingCompletions("destroy_qp", () -> destroy(qp));
        events.forget(qp, handle);
    }

    private void destroy(IbvQp qp) {
        numbers.writeLock().lock();
        try {
            qp.pin().closeFor(() -> {
                qp.requireNoReferences();
                qp.destroy();
            });
            qp.dropCompletions();
        } finally {
            numbers.writeLock().unlock();
        }
    }

    void attachMcast(QueuePair qp, Gid gid, int lid) {
        try (Scratch c = new Scratch(Gid.LENGTH)) {
            AhAttrs.writeGid(c.address(), gid);
            Answers.check(
                    "attach_mcast",
                    Libibverbs.ibv_attach_mcast(((NativeQueuePair) qp).ibv.address(), c.address(), lid));
        }
    }

    void detachMcast(QueuePair qp, Gid gid, int lid) {
        try (Scratch c = new Scratch(Gid.LENGTH)) {
            AhAttrs.writeGid(c.address(), gid);
            Answers.check(
                    "detach_mcast",
                    Libibverbs.ibv_detach_mcast(((NativeQueuePair) qp).ibv.address(), c.address(), lid));
        }
    }
}
