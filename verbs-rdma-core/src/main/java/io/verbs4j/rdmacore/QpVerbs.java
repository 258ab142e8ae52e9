/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DataInOrderCaps;
import io.verbs4j.DataInOrderFlags;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpOpenAttrMask;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpStateTable;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.QpAttrLayout;
import io.verbs4j.rdmacore.layout.QpInitAttrExLayout;
import io.verbs4j.rdmacore.layout.QpInitAttrLayout;
import io.verbs4j.rdmacore.layout.QpOpenAttrLayout;
import io.verbs4j.rdmacore.layout.QpRateLimitAttrLayout;
import io.verbs4j.rdmacore.marshal.AhAttrs;
import io.verbs4j.rdmacore.marshal.QpAttrs;
import io.verbs4j.rdmacore.marshal.QpInitMask;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.QpExFunctions;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.ModifyQpRateLimit;
import io.verbs4j.slot.OpenQp;
import io.verbs4j.slot.QueryQpDataInOrder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/** Implements the verbs for queue pairs. */
final class QpVerbs {
    private static final long QP_BITS = QpInitAttrMask.PD
            | QpInitAttrMask.XRCD
            | QpInitAttrMask.SEND_OPS_FLAGS
            | QpInitAttrMask.CREATE_FLAGS
            | QpInitAttrMask.MAX_TSO_HEADER
            | QpInitAttrMask.IND_TABLE
            | QpInitAttrMask.RX_HASH;
    private static final long OPEN_BITS =
            QpOpenAttrMask.NUM | QpOpenAttrMask.XRCD | QpOpenAttrMask.CONTEXT | QpOpenAttrMask.TYPE;
    private static final int IN_ORDER_FLAGS = DataInOrderFlags.RETURN_CAPS | DataInOrderFlags.DEVICE_ONLY;

    private final NativeContext base;
    private final EventVerbs events;
    private final ContextFunctions functions;
    private final NativeFunction modifyRateLimit;
    private final NativeFunction dataInOrder;

    /**
     * Guards the numbers of queue pairs. What a destroyed queue pair has left behind is identified by its number alone,
     * so the number must not be reused before that is dropped. Threads that create queue pairs share the lock; one that
     * destroys holds it exclusively.
     */
    private final ReadWriteLock numbers = new ReentrantReadWriteLock();

    QpVerbs(NativeContext base, EventVerbs events) {
        this.base = base;
        this.events = events;
        functions = base.functions();
        modifyRateLimit = functions.extended(ExtendedContextLayout.MODIFY_QP_RATE_LIMIT);
        dataInOrder = Libibverbs.find("ibv_query_qp_data_in_order");
    }

    void fill(ContextTable table) {
        if (functions.extended(ExtendedContextLayout.CREATE_QP_EX) != null) {
            table.fillProvider(ContextSlot.CREATE_QP_EX, (CreateQpEx) this::createQpEx);
        }
        if (functions.extended(ExtendedContextLayout.OPEN_QP) != null) {
            table.fillProvider(ContextSlot.OPEN_QP, (OpenQp) this::openQp);
        }
        if (modifyRateLimit != null) {
            table.fillProvider(ContextSlot.MODIFY_QP_RATE_LIMIT, (ModifyQpRateLimit) this::modifyQpRateLimit);
        }
        if (dataInOrder != null) {
            table.fillProvider(ContextSlot.QUERY_QP_DATA_IN_ORDER, (QueryQpDataInOrder) this::queryQpDataInOrder);
        }
    }

    private static VerbsException unknown(String verb, String what) {
        return new VerbsException(Errno.EOPNOTSUPP, verb, what);
    }

    private QueuePair createQpEx(QpInitAttrEx attr) {
        String verb = "create_qp_ex";
        Answers.refuseUnknown(verb, attr, QP_BITS);
        if (attr.qpType() != QpType.XRC_RECV) {
            return createQp(verb, attr);
        }
        int flags = CreateFlags.of(verb, attr, base.moreCreateFlags());
        if (flags != 0) {
            throw unknown(
                    verb,
                    "createFlags is " + QpCreateFlags.toString(flags)
                            + ", but a queue pair of type XRC_RECV takes none");
        }
        long operations = base.operations(verb, attr);
        attr.cap().maxSendWr(0).maxRecvWr(0).maxSendSge(0).maxRecvSge(0).maxInlineData(0); // it has no queues
        try (Scratch c = new Scratch(QpInitAttrExLayout.SIZEOF)) {
            long at = c.address();
            NativeMemory.putInt(at + QpInitAttrExLayout.QP_TYPE, attr.qpType());
            NativeMemory.putInt(at + QpInitAttrExLayout.COMP_MASK, (int) QpInitAttrMask.XRCD);
            NativeMemory.putLong(at + QpInitAttrExLayout.XRCD, IbvObject.addressOf(attr.xrcd()));
            return numbered(() -> {
                // Another process may poll its completions and copy; how this one polls does not matter.
                long qp = base.quirks().copiesFromCompletions()
                        ? base.quirks().createQpWithoutCopies(base.address(), at)
                        : functions.extended(ExtendedContextLayout.CREATE_QP_EX).call(base.address(), at);
                Answers.checkPointer(verb, qp);
                QpAttrs.readCap(at + QpInitAttrExLayout.CAP, attr.cap());
                return known(base.newQueuePair(attr, operations, qp));
            });
        }
    }

    private QueuePair openQp(QpOpenAttr attr) {
        String verb = "open_qp";
        Answers.refuseUnknown(verb, attr, OPEN_BITS);
        if (attr.qpType() != QpType.XRC_RECV) {
            throw unknown(verb, "the device can't share queue pairs of type " + QpType.toString(attr.qpType()));
        }
        String problem = base.quirks().openQpProblem();
        if (problem != null) {
            throw unknown(verb, problem);
        }
        try (Scratch c = new Scratch(QpOpenAttrLayout.SIZEOF)) {
            long at = c.address();
            NativeMemory.putInt(at + QpOpenAttrLayout.COMP_MASK, (int) (attr.compMask() & OPEN_BITS));
            NativeMemory.putInt(at + QpOpenAttrLayout.QP_NUM, attr.qpNum());
            NativeMemory.putLong(at + QpOpenAttrLayout.XRCD, IbvObject.addressOf(attr.xrcd()));
            NativeMemory.putInt(at + QpOpenAttrLayout.QP_TYPE, attr.qpType());
            long qp = functions.extended(ExtendedContextLayout.OPEN_QP).call(base.address(), at);
            Answers.checkPointer(verb, qp);
            QpInitAttrEx without = new QpInitAttrEx().qpType(attr.qpType()); // any queue
            IbvQp ibv = new IbvQp(without, 0, qp, functions, base.quirks(), base.regions(), base.windows());
            return known(new NativeQueuePair(base.context(), attr, ibv));
        }
    }

    /**
     * Creates a queue pair with a protection domain, as C's inline function does: by {@code ibv_create_qp} if nothing
     * else is requested. Flags, and operations by {@code ibv_wr_*}, need the extended verb or the vendor's own.
     */
    NativeQueuePair createQp(String verb, QpInitAttrEx attr) {
        int flags = CreateFlags.of(verb, attr, base.moreCreateFlags());
        boolean spreads = RssAttrs.isSet(attr);
        boolean cuts = NativeContext.hasTsoHeader(attr);
        if (cuts && !base.deviceQueries().segments(attr.qpType())) { // libmlx5 fails here without a reason
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
                    at -> base.quirks().createQpWithoutCopies(base.address(), at));
        }
        if (flags != 0 || built != 0 || spreads || cuts) {
            NativeFunction create = functions.extended(ExtendedContextLayout.CREATE_QP_EX);
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
     * Creates a queue pair by a function that takes a {@code struct ibv_qp_init_attr_ex}.
     *
     * @param known whether EINVAL means that something is wrong, and not that the device lacks it
     * @param asked operations to request from the driver in its mask; 0 for no mask
     * @param operations the operations that can be posted to it
     * @param built those of them that are posted by {@code ibv_wr_*}
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
                                built, attr.cap().maxInlineData(), base.quirks().spoilsFullQueue());
                    }
                    return handle;
                });
    }

    /** Requests operations by {@code ibv_wr_*} in a {@code struct ibv_qp_init_attr_ex} whose mask is already set. */
    static void askFor(long at, long operations) {
        QpInitMask.add(at, QpInitAttrMask.SEND_OPS_FLAGS);
        NativeMemory.putLong(at + QpInitAttrExLayout.SEND_OPS_FLAGS, operations);
    }

    /**
     * Checks a queue pair that receives by work queues. It has no queue of its own: libmlx5 creates nothing that could
     * be posted to.
     */
    private long receivesAlone(String verb, QpInitAttrEx attr) {
        base.requireFrames(verb);
        if (attr.sendCq() != null || attr.cap().maxSendWr() != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "sendCq or cap.maxSendWr is set, but a queue pair with rwqIndTbl only receives; leave them out,"
                            + " and send on another queue pair");
        }
        return SendOperations.of(verb, attr, 0);
    }

    /**
     * Checks that the required objects are present. The library does not know the needs of unknown types, and drivers
     * do not check either.
     */
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

    /** {@return whether drivers know a type, so that EINVAL does not mean an unknown type} */
    static boolean knows(int qpType) {
        return QpStateTable.knows(qpType) || qpType == QpType.RAW_PACKET;
    }

    /** Creates a queue pair while none is being destroyed. */
    NativeQueuePair numbered(Supplier<NativeQueuePair> maker) {
        numbers.readLock().lock();
        try {
            return maker.get();
        } finally {
            numbers.readLock().unlock();
        }
    }

    /**
     * Returns the capacities that apply: those for receives are ignored if the queue pair has no receive queue of its
     * own, see ibv_create_qp(3).
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

    /** Writes a {@code struct ibv_qp_init_attr}, the common start of both forms. */
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

    void modifyQp(QueuePair handle, QpAttr attr, int mask) {
        long qp = ((NativeQueuePair) handle).ibv.address();
        modifyQp(handle, attr, mask, at -> Libibverbs.ibv_modify_qp(qp, at, mask));
    }

    /**
     * Modifies a queue pair by a vendor function.
     *
     * @param function takes a {@code struct ibv_qp_attr} and returns 0 or an error
     */
    void modifyQp(QueuePair handle, QpAttr attr, int mask, LongUnaryOperator function) {
        IbvQp qp = ((NativeQueuePair) handle).ibv;
        int unknown = mask & ~NativeContext.QP_ATTRIBUTES;
        if (unknown != 0) { // the struct has no fields for them
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "modify_qp",
                    "the mask has " + QpAttrMask.toString(unknown)
                            + ", which the device does not support; leave it out");
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
            // The mask only lists what is requested, but libibverbs refuses bits that it does not know.
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

    /**
     * Queries the order of data. The first release returned yes or no; the next returns bits if requested; a later one
     * can report for the device alone. Each returns 0 for a flag that it does not know. The most detailed query is
     * therefore made first, and a simpler one after each 0; a plain yes maps to {@link DataInOrderCaps#WHOLE_MSG}.
     */
    private int queryQpDataInOrder(QueuePair handle, int wrOpcode, int flags) {
        Answers.requireKnown("query_qp_data_in_order", "flags", flags, IN_ORDER_FLAGS, DataInOrderFlags::toString);
        long qp = ((NativeQueuePair) handle).ibv.address();
        int caps = 0;
        if ((flags & DataInOrderFlags.DEVICE_ONLY) != 0) {
            caps = (int) dataInOrder.call(qp, wrOpcode, IN_ORDER_FLAGS);
        }
        if (caps == 0) {
            caps = (int) dataInOrder.call(qp, wrOpcode, DataInOrderFlags.RETURN_CAPS);
        }
        if (caps == 0) {
            caps = (int) dataInOrder.call(qp, wrOpcode, 0) == 0 ? 0 : DataInOrderCaps.WHOLE_MSG;
        }
        return caps;
    }

    private void modifyQpRateLimit(QueuePair handle, QpRateLimitAttr attr) {
        String verb = "modify_qp_rate_limit";
        Answers.refuseUnknown(verb, attr, 0);
        requireLimits(verb, handle.qpType(), attr.rateLimit());
        try (Scratch c = new Scratch(QpRateLimitAttrLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + QpRateLimitAttrLayout.RATE_LIMIT, (int) attr.rateLimit());
            NativeMemory.putInt(
                    c.address() + QpRateLimitAttrLayout.MAX_BURST_SZ,
                    Answers.unsignedInt(verb, "maxBurstSz", attr.maxBurstSz()));
            NativeMemory.putShort(
                    c.address() + QpRateLimitAttrLayout.TYPICAL_PKT_SZ,
                    Answers.narrow(verb, "typicalPktSz", attr.typicalPktSz(), 0xffff));
            long answer = modifyRateLimit.call(((NativeQueuePair) handle).ibv.address(), c.address());
            int errno = Answers.errno(answer);
            if (errno == Errno.EINVAL && (attr.maxBurstSz() != 0 || attr.typicalPktSz() != 0)) {
                // State, type and rate are valid, so the sizes must be the cause: libmlx5 returns this if the device
                // cannot apply them.
                throw new VerbsException(
                        Errno.EOPNOTSUPP,
                        verb,
                        "the device can't limit bursts, or not with these sizes; set maxBurstSz and typicalPktSz to 0");
            }
            if (errno != 0) {
                throw Answers.failed(verb, errno);
            }
        }
    }

    /** Checks the rate limit. The kernel reports both a type without limits and a rate out of range with EINVAL. */
    private void requireLimits(String verb, int type, long rate) {
        DeviceAttrEx can = base.deviceQueries().capabilities();
        if (type < 0 || type >= Integer.SIZE || (can.packetPacingSupportedQpts() & 1 << type) == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the device does not limit the rate of queue pairs of type " + QpType.toString(type)
                            + "; packetPacingSupportedQpts of query_device_ex lists the types that it supports");
        }
        long min = can.packetPacingQpRateLimitMin();
        long max = can.packetPacingQpRateLimitMax();
        if (rate != 0 && (rate < min || rate > max)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "rateLimit is " + rate + ", but the device supports rates from " + min + " to " + max
                            + " kbit/s; 0 means no limit");
        }
    }
}
