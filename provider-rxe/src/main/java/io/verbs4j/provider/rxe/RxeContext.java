/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwType;
import io.verbs4j.PortAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ReregFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.gsi.GsiService;
import io.verbs4j.provider.rxe.lanes.DeviceRings;
import io.verbs4j.provider.rxe.link.Links;
import io.verbs4j.provider.rxe.memory.RxeMemoryRegion;
import io.verbs4j.provider.rxe.memory.RxeMemoryRegionKey;
import io.verbs4j.provider.rxe.memory.RxeMemoryWindow;
import io.verbs4j.provider.rxe.memory.RxeMr;
import io.verbs4j.provider.rxe.memory.RxeProtectionDomain;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.qp.AddressVector;
import io.verbs4j.provider.rxe.qp.RxeAddressHandle;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.qp.SendRules;
import io.verbs4j.provider.rxe.queue.EventQueue;
import io.verbs4j.provider.rxe.queue.RingMemory;
import io.verbs4j.provider.rxe.queue.RxeCompletionChannel;
import io.verbs4j.provider.rxe.queue.RxeCompletionQueue;
import io.verbs4j.provider.rxe.queue.RxeCq;
import io.verbs4j.provider.rxe.queue.RxeSharedReceiveQueue;
import io.verbs4j.provider.rxe.queue.RxeSrq;
import io.verbs4j.provider.rxe.xrc.RxeXrcDomain;
import io.verbs4j.provider.rxe.xrc.RxeXrcQueuePair;
import io.verbs4j.rxedv.RxeDv;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An open embedded device; implements the control verbs. */
// Longer than 500 lines because `ContextOps` is one interface, and this class implements every verb of it for the
// device.
// More than 30 public methods because each verb of level 1 is one.
class RxeContext implements ContextOps, RxeCq.OverrunHandler {
    private final Port port;
    private final Device device;
    private final Context context;
    private final EventQueue<AsyncEvent> events;
    private final RxeLimits limits;
    private final RxeImportVerbs.Shared objects;

    /** Queue pairs to move to the error state when their completion queue overruns. */
    private final Set<RxeQp> qps = ConcurrentHashMap.newKeySet();

    private Object deviceRings; // Object, so that this class loads without device code

    RxeContext(Port port, Device device, Context context) {
        this.objects = RxeImportVerbs.of(context, port); // may throw
        this.port = port;
        this.device = device;
        this.context = context;
        this.limits = new RxeLimits();
        this.events = new EventQueue<>("get_async_event", "context");
        boolean acquired = false;
        try {
            port.acquire();
            acquired = true;
        } finally {
            if (!acquired) {
                objects.leave();
            }
        }
        port.dependents().open(context);
    }

    /** Fills in the extended verbs. */
    void fill(ContextTable table) {
        new RxeXrcVerbs(this, context, port, events).fill(table);
        new RxeCqVerbs(this, context, port, limits).fill(table);
        new RxeQueryVerbs(this, port).fill(table);
        new RxeMemoryVerbs(context, port, objects.own()).fill(table);
        new RxeDomainVerbs(context).fill(table);
        new RxeImportVerbs(context, port, objects).fill(table);
        new RxeCounterVerbs(context, port).fill(table);
        new RxeDmaVerbs().fill(table);
    }

    @Override
    public void close() {
        port.dependents().close("close_device", context);
        events.close();
        objects.leave();
        port.release();
    }

    /** The exception for queues that are within the device's limits but too large for the JVM's memory. */
    static VerbsException noMemory(String verb, OutOfMemoryError e) {
        return new VerbsException(Errno.ENOMEM, verb, remedy(e), e);
    }

    private static String remedy(OutOfMemoryError e) {
        String said = String.valueOf(e.getMessage());
        if (said.toLowerCase(Locale.ROOT).contains("direct buffer memory")) {
            return "the JVM is out of direct memory (" + said
                    + "); free some or raise -XX:MaxDirectMemorySize, which defaults to the value of -Xmx";
        }
        if (said.contains("thread")) {
            return "the JVM can't create another thread (" + said + "); raise the limit (ulimit -u)";
        }
        return "the JVM has too little memory for queues of this size; use smaller ones or raise -Xmx";
    }

    /**
     * Returns the vendor interface of the device, the general service interface, or that of device code. The last two
     * are compared by name, so that a program without a connection manager, or without device code, does not need their
     * classes.
     */
    @Override
    public <T> T vendor(Class<T> type) {
        if (type == RxeDv.class) {
            return type.cast(port);
        }
        if (type.getName().equals("io.verbs4j.devicecode.spi.RingSource")) {
            return type.cast(deviceRings());
        }
        if (!type.getName().equals("io.verbs4j.cm.spi.GsiPort")) {
            return null;
        }
        Object own = port.service(() -> new GsiService(port, device.guid()));
        return type.isInstance(own) ? type.cast(own) : null;
    }

    private synchronized Object deviceRings() {
        if (deviceRings == null) {
            deviceRings = new DeviceRings(this::users);
        }
        return deviceRings;
    }

    private int users(RxeCq cq) {
        return (int) qps.stream().filter(qp -> qp.completesTo(cq)).count();
    }

    private static void requireUsable(String verb, CompletionQueue cq) {
        if (cq instanceof RxeCompletionQueue known && known.lanes.isHandedOver()) {
            throw new VerbsException(Errno.EBUSY, verb, "device code has the completion queue; use another one");
        }
    }

    // ---- queries

    @Override
    public void queryDevice(DeviceAttr attr) {
        limits.tell(attr, device.guid(), port.config().windows2a());
    }

    @Override
    public void queryPort(int portNum, PortAttr attr) {
        checkPort("query_port", portNum);
        limits.tell(attr, port);
    }

    @Override
    public Gid queryGid(int portNum, int index) {
        checkPort("query_gid", portNum);
        return port.gid(index);
    }

    @Override
    public int queryPkey(int portNum, int index) {
        checkPort("query_pkey", portNum);
        if (index != 0) {
            throw new VerbsException(Errno.EINVAL, "query_pkey", "the P_Key table has only entry 0, not " + index);
        }
        return RxeLimits.DEFAULT_PKEY;
    }

    static void checkPort(String verb, int portNum) {
        if (portNum != 1) {
            throw new VerbsException(Errno.EINVAL, verb, "the device has only port 1, not " + portNum);
        }
    }

    // ---- domains and memory

    @Override
    public ProtectionDomain allocPd() {
        return new RxeProtectionDomain(context);
    }

    @Override
    public void deallocPd(ProtectionDomain pd) {
        objects.own().end(pd);
    }

    @Override
    public MemoryRegion regMr(ProtectionDomain pd, long addr, long length, int access) {
        return new RxeMemoryRegion(RxeMr.of(port.keys(), pd, addr, length, RxeLimits.regionRights("reg_mr", access)));
    }

    @Override
    public MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
        return new RxeMemoryRegion(RxeMr.of(port.keys(), pd, buffer, RxeLimits.regionRights("reg_mr", access)));
    }

    @Override
    public void reregMr(MemoryRegion mr, int flags, ProtectionDomain pd, long addr, long length, int access) {
        if (!(mr instanceof RxeMemoryRegion handle)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "rereg_mr",
                    "the region is a key from alloc_mr_key; use LOCAL_INV and REG_MR to change what it maps");
        }
        RxeLimits.checkReregFlags(flags);
        int rights = (flags & ReregFlags.CHANGE_ACCESS) != 0 ? RxeLimits.regionRights("rereg_mr", access) : 0;
        handle.mr.reregister(flags, pd, addr, length, rights);
        objects.own().changed(handle.mr);
    }

    @Override
    public void deregMr(MemoryRegion mr) {
        if (mr instanceof RxeMemoryRegionKey handle) {
            handle.key.destroy();
        } else {
            RxeMr region = ((RxeMemoryRegion) mr).mr;
            region.deregister();
            objects.own().remove(region);
        }
    }

    @Override
    public MemoryWindow allocMw(ProtectionDomain pd, int type) {
        return switch (type) {
            case MwType.TYPE_1 -> new RxeMemoryWindow(port.keys(), pd);
            case MwType.TYPE_2 ->
                new RxeMemoryWindow(port.keys(), pd, port.config().windows2a());
            default ->
                throw new VerbsException(
                        Errno.EOPNOTSUPP,
                        "alloc_mw",
                        "the device supports windows of TYPE_1 and TYPE_2, not " + MwType.toString(type));
        };
    }

    @Override
    public void deallocMw(MemoryWindow mw) {
        RxeMemoryWindow handle = (RxeMemoryWindow) mw;
        if (handle.mw != null) {
            handle.mw.destroy();
        } else {
            handle.qpWindow.destroy();
        }
    }

    // ---- completions and events

    @Override
    public CompletionChannel createCompChannel() {
        return new RxeCompletionChannel(context, port);
    }

    @Override
    public void destroyCompChannel(CompletionChannel channel) {
        ((RxeCompletionChannel) channel).events.close();
    }

    @Override
    public int compChannelDescriptor(CompletionChannel channel) {
        return ((RxeCompletionChannel) channel).events.descriptor(port::newEventFd);
    }

    @Override
    public CompletionQueue getCqEvent(CompletionChannel channel, long timeoutNanos) {
        return ((RxeCompletionChannel) channel).events.get(timeoutNanos);
    }

    @Override
    public AsyncEvent getAsyncEvent(long timeoutNanos) {
        AsyncEvent event = events.get(timeoutNanos);
        // A repeated event is queued as the same object each time, but each returned event must be a distinct object.
        return event == null ? null : AsyncEvent.of(event.eventType(), event.element());
    }

    @Override
    public int asyncEventDescriptor() {
        return events.descriptor(port::newEventFd);
    }

    @Override
    public CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        String verb = "create_cq";
        limits.checkCqe(verb, cqe);
        try {
            return new RxeCompletionQueue(context, cqe, userContext, (RxeCompletionChannel) channel, port, this);
        } catch (OutOfMemoryError e) {
            throw noMemory(verb, e);
        }
    }

    @Override
    public void overrun(RxeCq cq) {
        events.add(AsyncEvent.of(EventType.CQ_ERR, cq.handle()));
        for (RxeQp qp : qps) {
            if (qp.completesTo(cq)) {
                qp.enterErrorSoon();
            }
        }
    }

    @Override
    public void resizeCq(CompletionQueue cq, int cqe) {
        String verb = "resize_cq";
        limits.checkCqe(verb, cqe);
        requireUsable(verb, cq);
        try {
            ((RxeCompletionQueue) cq).cq.changeSize(cqe);
        } catch (OutOfMemoryError e) {
            throw noMemory(verb, e);
        }
    }

    @Override
    public void destroyCq(CompletionQueue cq) {
        ((RxeCompletionQueue) cq).lanes.requireReleased("destroy_cq", "the completion queue");
        ((RxeCompletionQueue) cq).cq.destroy();
        events.removeIf(e -> e.element() == cq);
    }

    // ---- queue pairs

    @Override
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        String verb = "create_qp";
        QpInitAttrEx extended = QpInitAttrEx.of(pd, attr);
        RxeLimits.refuseUnknown(verb, extended, RxeXrcVerbs.QP_BITS);
        return newQp(verb, extended);
    }

    /** Creates a queue pair of any type except XRC_RECV. */
    QueuePair newQp(String verb, QpInitAttrEx attr) {
        boolean base = attr.qpType() >= QpType.RC && attr.qpType() <= QpType.UD;
        if (!base && attr.qpType() != QpType.XRC_SEND) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the device supports queue pairs of type RC, UC, UD, XRC_SEND and XRC_RECV, not "
                            + QpType.toString(attr.qpType()));
        }
        RxeLimits.checkSendOps(verb, attr);
        RxeLimits.checkCreateFlags(verb, attr);
        requireUsable(verb, attr.sendCq());
        requireUsable(verb, attr.recvCq());
        if (attr.srq() != null && attr.srq().srqType() == SrqType.TM) {
            RxeLimits.checkTagMatching(verb, attr);
        }
        QpCap cap = attr.cap();
        boolean receives = attr.qpType() != QpType.XRC_SEND && attr.srq() == null; // has its own receive queue
        if (!receives) {
            cap.maxRecvWr(0).maxRecvSge(0); // whatever was requested, as in ibv_create_qp(3)
        }
        RxeLimits.checkCap(verb, cap);
        cap.maxSendSge(Math.max(1, cap.maxSendSge()));
        if (receives) {
            cap.maxRecvSge(Math.max(1, cap.maxRecvSge()));
        }
        RxeQueuePair handle;
        try {
            handle = newHandle(attr);
        } catch (OutOfMemoryError e) {
            throw noMemory(verb, e);
        }
        qps.add(handle.qp);
        if (handle.qp.isUrgent()) {
            port.urgentBegins();
        }
        return handle;
    }

    /** Creates a queue pair with an unused number and registers it with the port. */
    private RxeQueuePair newHandle(QpInitAttrEx attr) {
        RingMemory memory = RxeQp.inlineMemory(attr.pd(), attr);
        boolean known = false;
        try {
            RxeQueuePair handle;
            do {
                handle = new RxeQueuePair(context, attr, port.newQpNum(), port, events, memory);
            } while (!port.add(handle.qp));
            known = true;
            return handle;
        } finally {
            if (!known) {
                memory.free();
            }
        }
    }

    static RxeQp queuePair(QueuePair handle) {
        return handle instanceof RxeXrcQueuePair shared ? shared.hold.target() : ((RxeQueuePair) handle).qp;
    }

    @Override
    public void modifyQp(QueuePair qp, QpAttr attr, int attrMask) {
        boolean toReset = (attrMask & QpAttrMask.STATE) != 0 && attr.qpState() == QpState.RESET;
        if (toReset && qp instanceof RxeQueuePair own && own.lanes.isHandedOver()) {
            throw new VerbsException(
                    Errno.EBUSY, "modify_qp", "device code has its send queue, which cannot go to RESET; destroy it");
        }
        if (qp instanceof RxeXrcQueuePair shared && shared.hold.remote() != null) {
            shared.hold.remote().modify(attr, attrMask); // the other process validates
        } else {
            modify(queuePair(qp), attr, attrMask);
        }
    }

    void modify(RxeQp qp, QpAttr attr, int attrMask) {
        limits.checkQpAttr(attr, attrMask);
        if ((attrMask & QpAttrMask.PKEY_INDEX) != 0) {
            queryPkey(1, attr.pkeyIndex());
        }
        if ((attrMask & QpAttrMask.PORT) != 0) {
            checkPort("modify_qp", attr.portNum());
        }
        if ((attrMask & QpAttrMask.AV) != 0) {
            checkPath("modify_qp", attr.ahAttr());
        }
        limits.checkPathMtu(attr, attrMask, port);
        try {
            qp.modify(attr, attrMask);
        } catch (OutOfMemoryError e) {
            throw noMemory("modify_qp", e);
        }
    }

    private void checkPath(String verb, AhAttr attr) {
        checkPort(verb, attr.portNum());
        if (!attr.isGlobal()) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "a RoCE path needs a GID: set isGlobal(true) and grh().dgid(...)");
        }
        Gid source = port.gid(attr.grh().sgidIndex());
        Gid destination = attr.grh().dgid();
        if (destination.equals(Gid.ZERO)) {
            throw new VerbsException(Errno.EINVAL, verb, "the destination GID is zero: set grh().dgid(...)");
        }
        if (source.isIpv4Mapped() != destination.isIpv4Mapped()) {
            throw new VerbsException(
                    Errno.ENETUNREACH,
                    verb,
                    "no route from " + source + " (GID index " + attr.grh().sgidIndex() + ") to " + destination
                            + ": one is IPv4, the other IPv6");
        }
        String noWay = Links.noWay(source, destination);
        if (noWay != null) {
            throw new VerbsException(
                    Errno.ENETUNREACH, verb, "no route from " + source + " to " + destination + ": " + noWay);
        }
    }

    @Override
    public void queryQp(QueuePair qp, QpAttr attr, int attrMask, QpInitAttr initAttr) {
        RxeLimits.checkQpMask("query_qp", attrMask);
        if (qp instanceof RxeXrcQueuePair shared && shared.hold.remote() != null) {
            shared.hold.remote().tell(attr);
        } else {
            queuePair(qp).tell(attr, initAttr);
        }
        initAttr.userContext(qp.userContext())
                .qpType(qp.qpType())
                .sendCq(qp.sendCq())
                .recvCq(qp.recvCq())
                .srq(qp.srq());
    }

    @Override
    public void destroyQp(QueuePair handle) {
        if (handle instanceof RxeXrcQueuePair shared && !shared.hold.release()) {
            return; // still open elsewhere
        }
        if (handle instanceof RxeQueuePair own) {
            own.lanes.requireReleased("destroy_qp", "its send queue");
        }
        RxeQp qp = queuePair(handle);
        port.remove(qp);
        qps.remove(qp);
        qp.destroy();
        qp.sendQueue().end();
        if (qp.isUrgent()) {
            port.urgentEnds();
        }
    }

    @Override
    public String explainSend(QueuePair qp, SendWorkRequest wr) {
        return qp instanceof RxeQueuePair handle ? SendRules.broken(handle.qp, wr) : null;
    }

    @Override
    public String explainRecv(QueuePair qp, RecvWorkRequest wr) {
        return SendRules.brokenReceive(qp);
    }

    @Override
    public String explainSrqRecv(SharedReceiveQueue srq, RecvWorkRequest wr) {
        return SendRules.brokenReceive((RxeSharedReceiveQueue) srq, wr);
    }

    @Override
    public void attachMcast(QueuePair qp, Gid gid, int lid) {
        if (qp.qpType() != QpType.UD) {
            throw new VerbsException(Errno.EINVAL, "attach_mcast", "only queue pairs of type UD can be attached");
        }
        if (lid != 0) { // the library would see two LIDs of one GID as two groups, the device as one
            throw new VerbsException(Errno.EINVAL, "attach_mcast", "RoCE has no LIDs: pass 0, not " + lid);
        }
        RxeQp joining = queuePair(qp);
        if (joining.state() == QpState.ERR) {
            throw new VerbsException(Errno.EINVAL, "attach_mcast", "the queue pair is in state ERR");
        }
        try {
            port.groups().attach(joining, gid); // may open a link
        } catch (OutOfMemoryError e) {
            throw noMemory("attach_mcast", e);
        }
    }

    @Override
    public void detachMcast(QueuePair qp, Gid gid, int lid) {
        port.groups().detach(queuePair(qp), gid);
    }

    // ---- shared receive queues and address handles

    @Override
    public SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
        return newSrq("create_srq", SrqInitAttrEx.of(pd, attr));
    }

    RxeSharedReceiveQueue newSrq(String verb, SrqInitAttrEx attr) {
        limits.checkSrq(verb, attr.attr());
        attr.attr().maxSge(Math.max(1, attr.attr().maxSge()));
        try {
            return new RxeSharedReceiveQueue(context, attr, events);
        } catch (OutOfMemoryError e) {
            throw noMemory(verb, e);
        }
    }

    @Override
    public void modifySrq(SharedReceiveQueue srq, SrqAttr attr, int attrMask) {
        RxeLimits.checkSrqMask(attrMask);
        limits.checkSrq("modify_srq", attr);
        try {
            ((RxeSharedReceiveQueue) srq).srq.change(attr, attrMask);
        } catch (OutOfMemoryError e) {
            throw noMemory("modify_srq", e);
        }
    }

    @Override
    public void querySrq(SharedReceiveQueue srq, SrqAttr attr) {
        ((RxeSharedReceiveQueue) srq).srq.tell(attr);
    }

    @Override
    public void destroySrq(SharedReceiveQueue srq) {
        RxeSrq queue = ((RxeSharedReceiveQueue) srq).srq;
        if (srq.xrcd() instanceof RxeXrcDomain xrcd) {
            xrcd.domain.remove(queue);
        }
        queue.destroy();
    }

    @Override
    public AddressHandle createAh(ProtectionDomain pd, AhAttr attr) {
        checkPath("create_ah", attr);
        int index = attr.grh().sgidIndex();
        return new RxeAddressHandle(pd, new AddressVector(attr, port.gid(index), port.pathMtu(index)));
    }

    @Override
    public void destroyAh(AddressHandle ah) {
        ((RxeAddressHandle) ah).av.destroy();
    }
}
