/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpOpenAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqAttrMask;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqInitAttrMask;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsObject;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.compat.kit.Capability;
import java.util.ArrayDeque;
import java.util.Deque;

/** The model's control verbs, old and new. */
final class ModelOps extends DeviceOps {
    private static final int MAX_INLINE = 64;
    /** The highest bit of {@link QpAttrMask} that the model knows. */
    private static final int KNOWN_ATTRIBUTES = 21;

    private final Deque<AsyncEvent> events = new ArrayDeque<>();
    private final Deque<AsyncEvent> handedOut = new ArrayDeque<>();
    private int created;
    private boolean disturbed;
    private boolean closed;
    private boolean hasXrcd;

    static final class Xrcd extends XrcDomain {
        final Object identity;

        Xrcd(Context context, Object identity) {
            super(context);
            this.identity = identity;
        }
    }

    ModelOps(Context context) {
        super(context);
        synchronized (Fabric.LOCK) {
            boolean exclusive = !Traits.has(Capability.SEVERAL_CONTEXTS)
                    || Fault.OPENS_ONCE.on() && PlainProvider.isLibrary(context);
            if (exclusive && !Fabric.OPEN.isEmpty()) {
                throw no("open_device", Errno.EBUSY, "the model is open");
            }
            Fabric.OPEN.add(this);
        }
    }

    Context context() {
        return context;
    }

    @Override
    public void close() {
        synchronized (Fabric.LOCK) {
            closed = true;
            Fabric.OPEN.remove(this);
            if (Fault.CLOSES_ALL.on()) {
                Fabric.OPEN.forEach(other -> other.disturbed = true);
            }
            Fabric.LOCK.notifyAll();
        }
    }

    // ---- completions and events

    @Override
    public CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        checkCq("create_cq", cqe);
        return new ModelCq(this, cqe, userContext, (ModelChannel) channel).handle;
    }

    private void checkCq(String verb, int cqe) {
        if (disturbed) {
            throw no(verb, Errno.ENODEV, "the device is closed");
        }
        if (cqe > MAX_CQE && !Fault.ANY_CQ_SIZE.on()) {
            throw no(verb, Errno.EINVAL, "there can be 1000 entries");
        }
    }

    CompletionQueue makeCq(String verb, CqInitAttrEx attr) {
        checkCq(verb, attr.cqe());
        return new ModelCq(this, attr).handle;
    }

    @Override
    public void resizeCq(CompletionQueue cq, int cqe) {
        lacking("resize_cq", Capability.RESIZE_CQ);
        if (Fault.STATED_RESIZE.on()) {
            throw ContextOps.unsupported("resize_cq");
        }
        synchronized (Fabric.LOCK) {
            ModelCq.of(cq).resizeTo(cqe);
        }
    }

    @Override
    public void destroyCq(CompletionQueue cq) {
        synchronized (Fabric.LOCK) {
            ModelCq.of(cq).destroy();
            forgetEvents(cq);
        }
    }

    @Override
    public CompletionChannel createCompChannel() {
        lacking("create_comp_channel", Capability.COMPLETION_EVENTS);
        return new ModelChannel(context);
    }

    @Override
    public void destroyCompChannel(CompletionChannel channel) {
        synchronized (Fabric.LOCK) {
            ((ModelChannel) channel).state.closed = !Fault.NEVER_WAKES.on();
            Fabric.LOCK.notifyAll();
        }
    }

    @Override
    public CompletionQueue getCqEvent(CompletionChannel channel, long timeoutNanos) {
        ModelEvents from = ((ModelChannel) channel).state;
        synchronized (Fabric.LOCK) {
            Fabric.looked();
            from.looked(timeoutNanos);
        }
        CompletionQueue cq =
                Waiting.await("get_cq_event", from.events, () -> from.closed, from::takesWake, timeoutNanos);
        synchronized (Fabric.LOCK) {
            if (cq != null) {
                ModelCq.of(cq).handedOut(1);
            }
        }
        return cq;
    }

    @Override
    public void ackCqEvents(CompletionQueue cq, int count) {
        synchronized (Fabric.LOCK) {
            ModelCq.of(cq).handedOut(-count);
        }
    }

    @Override
    public AsyncEvent getAsyncEvent(long timeoutNanos) {
        lacking("get_async_event", Capability.ASYNC_EVENTS);
        AsyncEvent event = Waiting.await("get_async_event", events, () -> closed, timeoutNanos);
        synchronized (Fabric.LOCK) {
            if (event != null) {
                handedOut.add(event);
            }
        }
        return event;
    }

    @Override
    public void ackAsyncEvent(AsyncEvent event) {
        synchronized (Fabric.LOCK) {
            handedOut.remove(event);
            Fabric.LOCK.notifyAll();
        }
    }

    /** Drops the events that the program has not fetched yet, and forgets those that it has. */
    private void forgetEvents(VerbsObject of) {
        if (Fault.WAITS_FOR_ASYNC_ACK.on()) {
            Waiting.untilAcknowledged(() -> handedOut.stream().noneMatch(e -> e.element() == of));
        }
        events.removeIf(e -> e.element() == of);
    }

    void event(AsyncEvent event) {
        events.add(event);
        Fabric.LOCK.notifyAll();
    }

    // ---- queue pairs

    @Override
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        QpInitAttrEx extended = QpInitAttrEx.of(pd, attr);
        return createQpEx(extended);
    }

    QueuePair createQpEx(QpInitAttrEx attr) {
        synchronized (Fabric.LOCK) {
            long vendor = Fault.IGNORES_VENDOR_ATTRIBUTES.on() ? QpInitAttrMask.VENDOR : 0;
            long operations = Traits.has(Capability.SEND_OPS) ? QpInitAttrMask.SEND_OPS_FLAGS : 0;
            if (attr.vendor() != null && vendor == 0) {
                throw no("create_qp_ex", Errno.EOPNOTSUPP, "the model has no attributes of its own");
            }
            known(
                    "create_qp_ex",
                    attr,
                    QpInitAttrMask.PD
                            | QpInitAttrMask.XRCD
                            | QpInitAttrMask.CREATE_FLAGS
                            | EthernetOps.qpBits()
                            | operations
                            | vendor);
            judge(attr);
            QpExtras.judge(attr);
            WorkQueueOps.judge(attr);
            if (attr.pd() != null && hasXrcd && Fault.XRC_ONLY.on() && attr.qpType() == QpType.RC) {
                throw no("create_qp_ex", Errno.EOPNOTSUPP, "XRC only");
            }
            int most = Math.max(attr.cap().maxSendWr(), attr.cap().maxRecvWr());
            int sge = Math.max(attr.cap().maxSendSge(), attr.cap().maxRecvSge());
            if (!Fault.ANY_QP_SIZE.on() && (most > MAX_WR || sge > MAX_SGE)) {
                throw no("create_qp_ex", Errno.EINVAL, "there can be 1000 requests of 4 pieces");
            }
            if (!Traits.has(Capability.INLINE)) {
                attr.cap().maxInlineData(0);
            } else if (attr.cap().maxInlineData() > MAX_INLINE) {
                throw no("create_qp_ex", Errno.EINVAL, "inline data can be of 64 bytes");
            }
            if (Fault.ROUNDS_DOWN.on()) {
                attr.cap().maxSendWr(Integer.highestOneBit(attr.cap().maxSendWr()));
            }
            int number = ++created > 4 && Fault.SAME_NUMBER.on() ? 99 : Fabric.number();
            ModelQp qp = new ModelQp(this, attr, number);
            Fabric.QPS.put(number, qp);
            return qp.handle;
        }
    }

    private static void judge(QpInitAttrEx attr) {
        int type = attr.qpType();
        boolean unknown = type > QpType.XRC_RECV;
        if (!Traits.hasType(type) && !(unknown && Fault.ANY_TYPE.on())) {
            int errno = unknown && Fault.UNKNOWN_TYPE_EINVAL.on() ? Errno.EINVAL : Errno.EOPNOTSUPP;
            throw no("create_qp_ex", errno, "there are no queue pairs of this type");
        }
        if ((attr.compMask() & QpInitAttrMask.SEND_OPS_FLAGS) != 0
                && !Traits.hasOperations(type, attr.sendOpsFlags())
                && !Fault.ANY_SEND_OPS.on()
                && !(Fault.SRD_PROMISES_ATOMICS.on() && type == QpType.DRIVER)) {
            throw no("create_qp_ex", Errno.EOPNOTSUPP, "queue pairs of this type do not have all these operations");
        }
    }

    static void known(String verb, InputAttr attr, long bits) {
        long optional = Fault.OPTIONAL_BIT_REFUSED.on() ? InputAttr.OPTIONAL_RANGE : 0;
        boolean all = attr.hasOnly(bits, 0) && (attr.compMask() & optional) == 0;
        if (!all && !Fault.IGNORES_UNKNOWN_BITS.on()) {
            throw no(verb, Errno.EOPNOTSUPP, "there are bits in the mask that the model does not know");
        }
    }

    QueuePair openQp(QpOpenAttr attr) {
        synchronized (Fabric.LOCK) {
            long bits = QpOpenAttrMask.NUM | QpOpenAttrMask.XRCD | QpOpenAttrMask.CONTEXT | QpOpenAttrMask.TYPE;
            known("open_qp", attr, bits);
            ModelQp qp = Fabric.QPS.get(attr.qpNum());
            boolean there = qp != null && qp.type() == QpType.XRC_RECV;
            if (!there && !Fault.OPENS_ANY_QP.on()) {
                throw no("open_qp", Errno.ENOENT, "there is no queue pair of that number");
            }
            return new ModelQp.Opened(context, attr);
        }
    }

    @Override
    public void modifyQp(QueuePair qp, QpAttr attr, int attrMask) {
        synchronized (Fabric.LOCK) {
            int ignored = Fault.ANY_ATTRIBUTE.on() ? ~QpAttrMask.VENDOR : 0;
            if ((attrMask & ~ignored) >>> KNOWN_ATTRIBUTES != 0) {
                throw no("modify_qp", Errno.EOPNOTSUPP, "there are attributes that the model does not know");
            }
            if ((attrMask & QpAttrMask.PORT) != 0 && !Fault.ANY_PORT.on()) {
                port("modify_qp", attr.portNum());
            }
            if ((attrMask & QpAttrMask.PKEY_INDEX) != 0 && attr.pkeyIndex() != 0) {
                throw no("modify_qp", Errno.EINVAL, "there is P_Key 0 only");
            }
            ModelQp.of(qp).modify(attr, attrMask);
            Fabric.run();
        }
    }

    @Override
    public void queryQp(QueuePair qp, QpAttr attr, int attrMask, QpInitAttr initAttr) {
        synchronized (Fabric.LOCK) {
            ModelQp.of(qp).tell(attr, initAttr);
        }
    }

    @Override
    public void destroyQp(QueuePair qp) {
        synchronized (Fabric.LOCK) {
            if (qp instanceof ModelQp.Handle handle) {
                ModelQp model = handle.model;
                if (Fault.KEEPS_QUEUE_PAIRS.on() && model.state() == QpState.RESET) {
                    throw no("destroy_qp", Errno.EIO, "it was never used");
                }
                model.destroy();
            }
            forgetEvents(qp);
        }
    }

    // ---- shared receive queues and XRC domains

    @Override
    public SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
        return createSrqEx(SrqInitAttrEx.of(pd, attr));
    }

    SharedReceiveQueue createSrqEx(SrqInitAttrEx attr) {
        synchronized (Fabric.LOCK) {
            long bits = SrqInitAttrMask.TYPE | SrqInitAttrMask.PD | SrqInitAttrMask.XRCD | SrqInitAttrMask.CQ;
            bits |= attr.srqType() == SrqType.TM ? SrqInitAttrMask.TM : 0;
            lacking(
                    "create_srq_ex",
                    switch (attr.srqType()) {
                        case SrqType.XRC -> Capability.XRC;
                        case SrqType.TM -> Capability.TAG_MATCHING;
                        default -> Capability.SRQ;
                    });
            known("create_srq_ex", attr, bits);
            ModelSrq srq = new ModelSrq(this, attr, Fabric.number());
            if (attr.srqType() == SrqType.XRC) {
                Fabric.SRQS.put(srq.own, srq);
            }
            return srq.handle;
        }
    }

    @Override
    public void modifySrq(SharedReceiveQueue srq, SrqAttr attr, int attrMask) {
        synchronized (Fabric.LOCK) {
            if ((attrMask & SrqAttrMask.MAX_WR) != 0) {
                throw no("modify_srq", Errno.EOPNOTSUPP, "the size stays as it is");
            }
            ModelSrq.of(srq).limit = attr.srqLimit();
        }
    }

    @Override
    public void querySrq(SharedReceiveQueue srq, SrqAttr attr) {
        ModelSrq model = ModelSrq.of(srq);
        attr.maxWr(model.maxWr)
                .maxSge(Fault.SRQ_NO_SGE.on() && srq.srqType() == SrqType.BASIC ? 0 : MAX_SGE)
                .srqLimit(model.limit);
    }

    @Override
    public void destroySrq(SharedReceiveQueue srq) {
        synchronized (Fabric.LOCK) {
            ModelSrq.of(srq).destroy();
            forgetEvents(srq);
        }
    }

    XrcDomain openXrcd(XrcdInitAttr attr) {
        lacking("open_xrcd", Capability.XRC);
        synchronized (Fabric.LOCK) {
            hasXrcd = true;
            if (attr.file() == null) {
                return new Xrcd(context, new Object());
            }
            boolean there = Fabric.DOMAINS.containsKey(attr.file());
            if (!there && (attr.oflags() & XrcdOpenFlags.CREAT) == 0) {
                throw no("open_xrcd", Errno.ENOENT, "there is no domain for that file");
            }
            if (there && (attr.oflags() & XrcdOpenFlags.EXCL) != 0 && !Fault.EXCL_IGNORED.on()) {
                throw no("open_xrcd", Errno.EEXIST, "there is a domain for that file");
            }
            Object identity = Fabric.DOMAINS.computeIfAbsent(attr.file(), f -> new Object());
            return new Xrcd(context, Fault.FILE_IGNORED.on() ? new Object() : identity);
        }
    }

    void closeXrcd(XrcDomain xrcd) {
        assert xrcd != null; // nothing refers to it
    }
}
