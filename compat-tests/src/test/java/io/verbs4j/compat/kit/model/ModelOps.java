/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.LinkLayer;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.PortState;
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
import io.verbs4j.VerbsException;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** The control verbs of the model, old and new. */
final class ModelOps implements ContextOps {
    private static final int MAX_WR = 1000;
    private static final int MAX_SGE = 4;
    private static final int MAX_CQE = 1000;

    private final Context context;
    private final Deque<AsyncEvent> events = new ArrayDeque<>();
    private int domains;
    private int created;
    private int gidCalls;
    private boolean disturbed;
    private boolean closed;
    private boolean hasXrcd;

    private static final class Pd extends ProtectionDomain {
        Pd(Context context) {
            super(context);
        }
    }

    static final class Xrcd extends XrcDomain {
        final Object identity;

        Xrcd(Context context, Object identity) {
            super(context);
            this.identity = identity;
        }
    }

    static final class Ah extends AddressHandle {
        final Gid to;

        Ah(ProtectionDomain pd, Gid to) {
            super(pd);
            this.to = to;
        }
    }

    ModelOps(Context context) {
        this.context = context;
        synchronized (Fabric.LOCK) {
            Fabric.OPEN.add(this);
        }
    }

    Context context() {
        return context;
    }

    private static VerbsException no(String verb, int errno, String why) {
        return new VerbsException(errno, verb, why);
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

    // ---- queries

    @Override
    public void queryDevice(DeviceAttr attr) {
        attr.physPortCnt(1)
                .maxQp(10_000)
                .maxQpWr(MAX_WR)
                .maxSge(MAX_SGE)
                .maxCq(10_000)
                .maxCqe(MAX_CQE);
        attr.maxMr(10_000).maxPd(10_000).maxSrq(100).maxSrqWr(MAX_WR).maxSrqSge(MAX_SGE);
        attr.maxMrSize(Fault.NO_REGION_SIZE.on() ? 0 : 1L << 33);
    }

    private static void port(String verb, int number) {
        if (number != 1) {
            throw no(verb, Errno.EINVAL, "there is port 1 only");
        }
    }

    @Override
    public void queryPort(int portNum, PortAttr attr) {
        port("query_port", portNum);
        attr.state(Fault.PORT_DOWN.on() ? PortState.DOWN : PortState.ACTIVE).linkLayer(LinkLayer.ETHERNET);
        attr.activeMtu(Mtu.MTU_1024)
                .maxMtu(Mtu.MTU_4096)
                .gidTblLen(1)
                .pkeyTblLen(1)
                .maxMsgSz(1 << 20);
    }

    @Override
    public Gid queryGid(int portNum, int index) {
        port("query_gid", portNum);
        if (index != 0) {
            throw no("query_gid", Errno.EINVAL, "there is GID 0 only");
        }
        boolean other = Fault.CHANGING_GID.on() && domains == 0 && gidCalls++ % 2 == 1;
        return other ? Gid.of(1, 1) : Fabric.GID;
    }

    @Override
    public int queryPkey(int portNum, int index) {
        port("query_pkey", portNum);
        if (index != 0 && !Fault.ANY_PKEY.on()) {
            throw no("query_pkey", Errno.EINVAL, "there is P_Key 0 only");
        }
        return 0xffff;
    }

    // ---- domains, memory, addresses

    @Override
    public ProtectionDomain allocPd() {
        domains++;
        return new Pd(context);
    }

    @Override
    public void deallocPd(ProtectionDomain pd) {}

    @Override
    public MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
        synchronized (Fabric.LOCK) {
            return Fabric.register(pd, buffer, access);
        }
    }

    @Override
    public void deregMr(MemoryRegion mr) {
        synchronized (Fabric.LOCK) {
            Fabric.forget(mr.lkey());
        }
    }

    @Override
    public MemoryWindow allocMw(ProtectionDomain pd, int type) {
        return new Fabric.Mw(pd, type);
    }

    @Override
    public void deallocMw(MemoryWindow mw) {
        synchronized (Fabric.LOCK) {
            Fabric.KEYS.remove(mw.rkey());
        }
    }

    @Override
    public AddressHandle createAh(ProtectionDomain pd, AhAttr attr) {
        if (!Fault.AH_ANY_PORT.on()) {
            port("create_ah", attr.portNum());
        }
        return new Ah(pd, attr.grh().dgid());
    }

    @Override
    public void destroyAh(AddressHandle ah) {}

    @Override
    public void attachMcast(QueuePair qp, Gid gid, int lid) {
        synchronized (Fabric.LOCK) {
            Fabric.attach(gid, (ModelQp) qp);
        }
    }

    @Override
    public void detachMcast(QueuePair qp, Gid gid, int lid) {
        synchronized (Fabric.LOCK) {
            if (!Fault.STAYS_ATTACHED.on()) {
                Fabric.GROUPS.get(gid).remove((ModelQp) qp);
            }
        }
    }

    // ---- completions and events

    @Override
    public CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        if (disturbed) {
            throw no("create_cq", Errno.ENODEV, "the device is closed");
        }
        if (cqe > MAX_CQE && !Fault.ANY_CQ_SIZE.on()) {
            throw no("create_cq", Errno.EINVAL, "there can be 1000 entries");
        }
        return new ModelCq(this, cqe, userContext, (ModelChannel) channel);
    }

    @Override
    public void resizeCq(CompletionQueue cq, int cqe) {
        synchronized (Fabric.LOCK) {
            ((ModelCq) cq).resizeTo(cqe);
        }
    }

    @Override
    public void destroyCq(CompletionQueue cq) {
        synchronized (Fabric.LOCK) {
            ((ModelCq) cq).destroy();
            events.removeIf(e -> e.element() == cq);
        }
    }

    @Override
    public CompletionChannel createCompChannel() {
        return new ModelChannel(context);
    }

    @Override
    public void destroyCompChannel(CompletionChannel channel) {
        synchronized (Fabric.LOCK) {
            ((ModelChannel) channel).closed = !Fault.NEVER_WAKES.on();
            Fabric.LOCK.notifyAll();
        }
    }

    @Override
    public CompletionQueue getCqEvent(CompletionChannel channel, long timeoutNanos) {
        ModelChannel from = (ModelChannel) channel;
        return ModelChannel.await("get_cq_event", from.events, () -> from.closed, timeoutNanos);
    }

    @Override
    public AsyncEvent getAsyncEvent(long timeoutNanos) {
        return ModelChannel.await("get_async_event", events, () -> closed, timeoutNanos);
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
            known("create_qp_ex", attr.hasOnly(QpInitAttrMask.PD | QpInitAttrMask.XRCD, 0));
            if (attr.pd() != null && hasXrcd && Fault.XRC_ONLY.on() && attr.qpType() == QpType.RC) {
                throw no("create_qp_ex", Errno.EOPNOTSUPP, "XRC only");
            }
            int most = Math.max(attr.cap().maxSendWr(), attr.cap().maxRecvWr());
            int sge = Math.max(attr.cap().maxSendSge(), attr.cap().maxRecvSge());
            if (!Fault.ANY_QP_SIZE.on() && (most > MAX_WR || sge > MAX_SGE)) {
                throw no("create_qp_ex", Errno.EINVAL, "there can be 1000 requests of 4 pieces");
            }
            if (Fault.ROUNDS_DOWN.on()) {
                attr.cap().maxSendWr(Integer.highestOneBit(attr.cap().maxSendWr()));
            }
            int number = ++created > 4 && Fault.SAME_NUMBER.on() ? 99 : Fabric.number();
            ModelQp qp = new ModelQp(this, attr, number);
            Fabric.QPS.put(number, qp);
            return qp;
        }
    }

    private static void known(String verb, boolean all) {
        if (!all && !Fault.IGNORES_UNKNOWN_BITS.on()) {
            throw no(verb, Errno.EOPNOTSUPP, "there are bits in the mask that the model does not know");
        }
    }

    QueuePair openQp(QpOpenAttr attr) {
        synchronized (Fabric.LOCK) {
            long bits = QpOpenAttrMask.NUM | QpOpenAttrMask.XRCD | QpOpenAttrMask.CONTEXT | QpOpenAttrMask.TYPE;
            known("open_qp", attr.hasOnly(bits, 0));
            ModelQp qp = Fabric.QPS.get(attr.qpNum());
            boolean there = qp != null && qp.qpType() == QpType.XRC_RECV;
            if (!there && !Fault.OPENS_ANY_QP.on()) {
                throw no("open_qp", Errno.ENOENT, "there is no queue pair of that number");
            }
            return new ModelQp.Opened(context, attr);
        }
    }

    @Override
    public void modifyQp(QueuePair qp, QpAttr attr, int attrMask) {
        synchronized (Fabric.LOCK) {
            if ((attrMask & QpAttrMask.PORT) != 0 && !Fault.ANY_PORT.on()) {
                port("modify_qp", attr.portNum());
            }
            if ((attrMask & QpAttrMask.PKEY_INDEX) != 0 && attr.pkeyIndex() != 0) {
                throw no("modify_qp", Errno.EINVAL, "there is P_Key 0 only");
            }
            ((ModelQp) qp).modify(attr, attrMask);
            Fabric.run();
        }
    }

    @Override
    public void queryQp(QueuePair qp, QpAttr attr, int attrMask, QpInitAttr initAttr) {
        synchronized (Fabric.LOCK) {
            ((ModelQp) qp).tell(attr, initAttr);
        }
    }

    @Override
    public void destroyQp(QueuePair qp) {
        synchronized (Fabric.LOCK) {
            if (qp instanceof ModelQp model) {
                if (Fault.KEEPS_QUEUE_PAIRS.on() && model.state() == QpState.RESET) {
                    throw no("destroy_qp", Errno.EIO, "it was never used");
                }
                model.destroy();
            }
            events.removeIf(e -> e.element() == qp);
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
            known("create_srq_ex", attr.hasOnly(bits, 0));
            ModelSrq srq = new ModelSrq(this, attr, Fabric.number());
            if (attr.srqType() == SrqType.XRC) {
                Fabric.SRQS.put(srq.own, srq);
            }
            return srq;
        }
    }

    @Override
    public void modifySrq(SharedReceiveQueue srq, SrqAttr attr, int attrMask) {
        synchronized (Fabric.LOCK) {
            if ((attrMask & SrqAttrMask.MAX_WR) != 0) {
                throw no("modify_srq", Errno.EOPNOTSUPP, "the size stays as it is");
            }
            ((ModelSrq) srq).limit = attr.srqLimit();
        }
    }

    @Override
    public void querySrq(SharedReceiveQueue srq, SrqAttr attr) {
        ModelSrq model = (ModelSrq) srq;
        attr.maxWr(model.maxWr).maxSge(Fault.SRQ_NO_SGE.on() ? 0 : MAX_SGE).srqLimit(model.limit);
    }

    @Override
    public void destroySrq(SharedReceiveQueue srq) {
        synchronized (Fabric.LOCK) {
            ((ModelSrq) srq).destroy();
            events.removeIf(e -> e.element() == srq);
        }
    }

    XrcDomain openXrcd(XrcdInitAttr attr) {
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
        assert xrcd != null; // nothing hangs on it
    }
}
