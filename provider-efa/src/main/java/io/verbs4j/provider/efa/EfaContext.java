/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.efadv.EfaCqInitAttr;
import io.verbs4j.efadv.EfaDeviceAttr;
import io.verbs4j.efadv.EfaDeviceCap;
import io.verbs4j.efadv.EfaDv;
import io.verbs4j.efadv.EfaQpInitAttr;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.lock.Nap;
import io.verbs4j.natives.lock.RingLocks;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.efa.dv.DvContext;
import io.verbs4j.provider.efa.dv.Libefa;
import io.verbs4j.provider.efa.dv.RingQueries;
import io.verbs4j.provider.efa.layout.EfaCqInitAttrLayout;
import io.verbs4j.provider.efa.layout.EfaQpExLayout;
import io.verbs4j.provider.efa.ring.EfaAddressHandle;
import io.verbs4j.provider.efa.ring.EfaReader;
import io.verbs4j.provider.efa.ring.EfaRingCompletionQueue;
import io.verbs4j.provider.efa.ring.Rings;
import io.verbs4j.rdmacore.DataPath;
import io.verbs4j.rdmacore.NativeContext;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.QpExFunctions;
import io.verbs4j.rdmacore.ring.RingQp;
import io.verbs4j.slot.CreateCqEx;
import io.verbs4j.slot.CreateQpEx;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * An open EFA device: libefa's verbs, plus checks of device rules for which neither libefa nor the kernel gives a
 * reason.
 */
public final class EfaContext extends DvContext {
    private static final int MODIFIABLE = QpAttrMask.STATE
            | QpAttrMask.CUR_STATE
            | QpAttrMask.EN_SQD_ASYNC_NOTIFY
            | QpAttrMask.PKEY_INDEX
            | QpAttrMask.PORT
            | QpAttrMask.QKEY
            | QpAttrMask.SQ_PSN
            | QpAttrMask.RNR_RETRY;

    /**
     * Attributes that the kernel's driver can be asked for. It fails with EOPNOTSUPP for any other bit, although the
     * mask is only a wish.
     */
    private static final int READABLE = QpAttrMask.STATE
            | QpAttrMask.PKEY_INDEX
            | QpAttrMask.PORT
            | QpAttrMask.QKEY
            | QpAttrMask.SQ_PSN
            | QpAttrMask.CAP
            | QpAttrMask.RNR_RETRY;

    /** Maximum time for the device to flush a queue pair before RESET, and the interval of checks. */
    private static final long FLUSH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final String CREATE_CQ = "efadv_create_cq";

    /** Vendor part whose completion queues consist of several rings, of which libefa reports only one. */
    private static final int SEVERAL_RINGS = 0xefa0;

    private final SharedAddressHandles handles = new SharedAddressHandles();
    private final Rings rings = new Rings();
    private final EfaQps qps = new EfaQps();
    private final DataPath path;
    private final RingLocks locks;
    private final EfaEvents events;
    private volatile EfaDeviceAttr deviceAttr;

    EfaContext(NativeDevice device, Context context, DataPath wanted) {
        super(device, context);
        locks = new RingLocks(wanted.singleThreaded());
        events = new EfaEvents(address(), functions());
        try {
            path = possible(wanted);
        } catch (RuntimeException e) {
            super.close();
            throw e;
        }
    }

    /** Opens a context. Returns the base type so that {@code EfaProvider} loads even when this class cannot. */
    static NativeContext of(NativeDevice device, Context context, DataPath path) {
        return new EfaContext(device, context, path);
    }

    private DataPath possible(DataPath wanted) {
        if (!wanted.java()) {
            return wanted;
        }
        if (!RingQueries.areThere()) {
            return wanted.withoutJava(
                    "the loaded libefa does not report where queues are; that came with rdma-core 59: install that or"
                            + " a later release");
        }
        return limits().vendorPartId() == SEVERAL_RINGS
                ? wanted.withoutJava("the device's completion queues have several rings, but libefa reports only one")
                : wanted;
    }

    /** Returns the queue pairs that Java posts to. */
    Rings rings() {
        return rings;
    }

    /** Returns the queue pairs that libefa posts to. */
    EfaQps qps() {
        return qps;
    }

    /** Returns the locks of the queues that Java writes and reads. */
    RingLocks locks() {
        return locks;
    }

    @Override
    protected void awaitPosts() {
        if (path.java()) { // libefa's posts pin what they read
            locks.awaitAll();
        }
    }

    @Override
    public <T> T vendor(Class<T> type) {
        if (type.getName().equals("io.verbs4j.devicecode.spi.RingSource")) { // loaded only if a program asks for it
            return type.cast(new DeviceRings(this));
        }
        return type == EfaDv.class ? vendorVerbs(MethodHandles.lookup(), type) : null;
    }

    private static VerbsException unsupported(String verb, String what) {
        return new VerbsException(Errno.EOPNOTSUPP, verb, what);
    }

    // ---- address handles

    @Override
    protected long makeAh(ProtectionDomain pd, AhAttr attr) {
        if (!attr.isGlobal() || attr.grh() == null || attr.grh().dgid() == null) {
            throw new VerbsException(
                    Errno.EINVAL, "create_ah", "EFA sends to GIDs: set isGlobal, and grh with the peer's dgid");
        }
        if (attr.portNum() != 1 || attr.grh().sgidIndex() != 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "create_ah",
                    "portNum is " + attr.portNum() + " and sgidIndex "
                            + attr.grh().sgidIndex() + "; EFA has only port 1 and the GID with index 0");
        }
        return handles.get(pd.base(), attr.grh().dgid(), () -> super.makeAh(pd, attr));
    }

    @Override
    protected void freeAh(long ah) {
        handles.giveBack(ah, super::freeAh);
    }

    // ---- queue pairs

    @Override
    protected void fill(ContextTable table) {
        super.fill(table);
        if (table.size() > ContextSlot.CREATE_QP_EX
                && table.provider(ContextSlot.CREATE_QP_EX) instanceof CreateQpEx usual) {
            table.fillProvider(ContextSlot.CREATE_QP_EX, (CreateQpEx) attr -> {
                EfaQueuePairs.prepare("create_qp_ex", attr);
                return EfaQueuePairs.isOurs(attr) ? createSrd(attr) : usual.createQpEx(attr);
            });
        }
        if (table.size() > ContextSlot.CREATE_CQ_EX
                && table.provider(ContextSlot.CREATE_CQ_EX) instanceof CreateCqEx usual) {
            table.fillProvider(ContextSlot.CREATE_CQ_EX, (CreateCqEx)
                    attr -> (attr.compMask() & CqInitAttrMask.VENDOR) == 0 ? usual.createCqEx(attr) : createCq(attr));
        }
    }

    @Override
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        QpInitAttrEx extended = QpInitAttrEx.of(pd, attr); // shares the capacities
        EfaQueuePairs.prepare("create_qp", extended);
        return EfaQueuePairs.isOurs(extended) ? createSrd(extended) : super.createQp(pd, attr);
    }

    private QueuePair createSrd(QpInitAttrEx attr) {
        String verb = "efadv_create_qp_ex";
        EfaQpInitAttr efa = EfaQueuePairs.checked(attr);
        long operations = operations(verb, attr);
        boolean plain = EfaQueuePairs.isPlain(efa);
        try {
            long built = path.java() ? 0 : path.builds() ? operations : EfaQueuePairs.built(operations, efa);
            return createBuiltQp(
                    verb, attr, plain, operations, built, usual -> EfaQueuePairs.create(address(), usual, efa));
        } catch (VerbsException e) {
            throw plain || e.errno() != Errno.EOPNOTSUPP ? e : unsupported(verb, EfaQueuePairs.asks(efa));
        }
    }

    /**
     * Checks against EFA's own limits per queue: the standard verbs report only the smaller limit of the two queues.
     */
    @Override
    protected void checkCap(String verb, QpCap cap) {
        EfaDeviceAttr most = deviceAttr();
        checkLimit(verb, "maxSendWr", cap.maxSendWr(), most.maxSqWr());
        checkLimit(verb, "maxRecvWr", cap.maxRecvWr(), most.maxRqWr());
        checkLimit(verb, "maxSendSge", cap.maxSendSge(), most.maxSqSge());
        checkLimit(verb, "maxRecvSge", cap.maxRecvSge(), most.maxRqSge());
    }

    private EfaDeviceAttr deviceAttr() {
        EfaDeviceAttr known = deviceAttr;
        if (known == null) {
            known = vendor(EfaDv.class).queryDevice();
            deviceAttr = known; // never changes
        }
        return known;
    }

    @Override
    protected long able(int qpType) {
        return qpType == QpType.UD
                ? EfaQueuePairs.SENDS
                : qpType == QpType.DRIVER ? EfaQueuePairs.ableSrd(deviceAttr().deviceCaps()) : 0;
    }

    /**
     * Returns whether the device is known to support completion events. They came with rdma-core 38, and in 59 Java's
     * data path cannot find the doorbell for them. Neither release added a function, so the check looks for one that a
     * later release added; without it, the traits are not reported.
     */
    @Override
    protected boolean isAsUsual() {
        return Libefa.has(path.java() ? "efadv_qp_from_ibv_qp_ex" : "efadv_cq_from_ibv_cq_ex");
    }

    /** Adds EFA's properties. Access rights belong to regions only; queue pairs have none. */
    @Override
    protected void tellMore(DeviceAttrEx attr) {
        super.tellMore(attr);
        int access = AccessFlags.LOCAL_WRITE | AccessFlags.RELAXED_ORDERING;
        int caps = deviceAttr().deviceCaps();
        access |= (caps & EfaDeviceCap.RDMA_READ) == 0 ? 0 : AccessFlags.REMOTE_READ;
        access |= (caps & EfaDeviceCap.RDMA_WRITE) == 0 ? 0 : AccessFlags.REMOTE_WRITE;
        attr.offer(DeviceAttrEx.SEND_OPS_DRIVER, able(QpType.DRIVER));
        attr.offer(DeviceAttrEx.MR_ACCESS_FLAGS, access);
        attr.offer(DeviceAttrEx.QP_ACCESS_FLAGS, 0);
    }

    @Override
    protected NativeQueuePair newQueuePair(QpInitAttrEx attr, long operations, long qp) {
        if (path.java()) {
            requireUsable(attr.sendCq());
            requireUsable(attr.recvCq());
        }
        return path.java()
                ? new EfaRingQueuePair(this, attr, new EfaRingQp(this, attr, operations, qp))
                : new NativeQueuePair(context(), attr, new EfaQp(this, attr, operations, qp));
    }

    /** Refuses a completion queue that device code has, for a new queue pair. */
    private static void requireUsable(CompletionQueue cq) {
        if (((NativeCompletionQueue) cq).ibv instanceof EfaRingCq known) {
            known.ring().requireUsable();
        }
    }

    @Override
    protected long builtOperations(int qpType) {
        return path.builds() ? QpExFunctions.OPERATIONS : 0;
    }

    @Override
    protected NativeAddressHandle newAddressHandle(ProtectionDomain pd, long ah) {
        return path.java() ? new EfaAddressHandle(pd, ah, RingQueries.number(ah)) : super.newAddressHandle(pd, ah);
    }

    @Override
    public void modifyQp(QueuePair qp, QpAttr attr, int mask) {
        if ((mask & ~MODIFIABLE) != 0) {
            throw unsupported(
                    "modify_qp",
                    "EFA has no connections, paths or timers; leave out " + QpAttrMask.toString(mask & ~MODIFIABLE));
        }
        boolean otherPort = (mask & QpAttrMask.PORT) != 0 && attr.portNum() != 1;
        if (otherPort || (mask & QpAttrMask.PKEY_INDEX) != 0 && attr.pkeyIndex() != 0) {
            throw new VerbsException( // the driver would report EOPNOTSUPP
                    Errno.EINVAL,
                    "modify_qp",
                    "portNum is " + attr.portNum() + " and pkeyIndex " + attr.pkeyIndex()
                            + "; EFA has only port 1 and the P_Key with index 0");
        }
        if (qp.qpType() == QpType.DRIVER) {
            requireChange(qp, attr, mask, EfaStates::check);
        }
        boolean toReset = (mask & QpAttrMask.STATE) != 0 && attr.qpState() == QpState.RESET;
        if (toReset && ((NativeQueuePair) qp).ibv instanceof RingQp known) {
            known.requireResettable();
        }
        if (!path.java() && toReset) {
            takeCompletions(qp);
        }
        super.modifyQp(qp, attr, mask);
    }

    /**
     * Drains a queue pair's outstanding completions from its completion queues before it goes to RESET. libefa then
     * restarts its counters, and writes outside its table of ids if it polls a completion from before. The queue pair
     * is put in ERR, where the device flushes the rest asynchronously; this method waits for that.
     *
     * @throws VerbsException {@link Errno#EBUSY} if this takes too long; the queue pair is then in ERR
     */
    private void takeCompletions(QueuePair qp) {
        QpAttr now = new QpAttr();
        queryQp(qp, now, QpAttrMask.STATE, new QpInitAttr());
        if (now.qpState() == QpState.RESET) {
            return;
        }
        if (now.qpState() != QpState.ERR) { // so that there will be no more
            super.modifyQp(qp, new QpAttr().qpState(QpState.ERR), QpAttrMask.STATE);
        }
        EfaQp ibv = (EfaQp) ((NativeQueuePair) qp).ibv;
        long start = System.nanoTime();
        while (true) {
            ibv.holdingCompletions("modify_qp", ibv::dropCompletions);
            long left = ibv.outstanding();
            if (left == 0) {
                return;
            }
            if (System.nanoTime() - start > FLUSH_NANOS) {
                throw new VerbsException(
                        Errno.EBUSY,
                        "modify_qp",
                        "the device has not flushed " + left
                                + " requests of the queue pair, which is in ERR now; go to RESET later, or close the"
                                + " queue pair and create another");
            }
            Nap.nanos(NAP_NANOS);
        }
    }

    @Override
    public void hint(String verb, IbvQp qp, int hints) {
        boolean takes =
                qp instanceof EfaRingQp ring ? ring.takesHints() : qp instanceof EfaQp known && known.takesHints();
        if (!takes) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "the queue pair was created without EfaWrFlags.PROCESSING_HINTS; set it in wrFlags");
        }
        if (qp instanceof EfaRingQp ring) {
            ring.hint(hints);
            return;
        }
        long struct = Libefa.function("efadv_qp_from_ibv_qp_ex", 64)
                .call(Answers.checkPointer(verb, Libibverbs.ibv_qp_to_qp_ex(qp.address())));
        long setter = NativeMemory.getLong(Answers.checkPointer(verb, struct) + EfaQpExLayout.WR_SET_PROCESSING_HINTS);
        qp.hintBy(NativeFunction.data(Answers.checkPointer(verb, setter)), struct, hints);
    }

    @Override
    public void queryQp(QueuePair qp, QpAttr attr, int mask, QpInitAttr initAttr) {
        super.queryQp(qp, attr, mask & READABLE, initAttr);
    }

    // ---- completion queues

    @Override
    public CompletionChannel createCompChannel() {
        if (!events.areThere()) {
            throw unsupported(
                    "create_comp_channel",
                    "the loaded libefa has no completion events; they came with rdma-core 38: install that or a later"
                            + " release");
        }
        return super.createCompChannel();
    }

    private CompletionQueue createCq(CqInitAttrEx attr) {
        Answers.refuseUnknown(CREATE_CQ, attr, CqInitAttrMask.FLAGS | CqInitAttrMask.PD | CqInitAttrMask.VENDOR);
        EfaCqInitAttr efa = vendorAttr(CREATE_CQ, attr.vendor(), EfaCqInitAttr.class);
        if (efa.isExtMemDmabuf()) {
            EfaCqMemory.prepare(attr, efa);
        }
        return createCqEx(CREATE_CQ, attr, usual -> {
            try (Scratch c = new Scratch(EfaCqInitAttrLayout.SIZEOF)) {
                NativeMemory.putLong(c.address() + EfaCqInitAttrLayout.WC_FLAGS, efa.wcFlags());
                int size = efa.isExtMemDmabuf() ? EfaCqMemory.write(c.address(), efa) : EfaCqInitAttrLayout.FLAGS;
                return Libefa.function(CREATE_CQ, 43).call(address(), usual, c.address(), size);
            }
        });
    }

    @Override
    protected NativeCompletionQueue newCompletionQueue(Object userContext, CompletionChannel channel, long cq) {
        if (path.java()) {
            EfaRingCq ring = new EfaRingCq(this, cq, false);
            return new EfaRingCompletionQueue(context(), userContext, channel, ring, ring.ring());
        }
        return new EfaNativeCompletionQueue(context(), userContext, channel, new EfaCq(this, cq), events.areThere());
    }

    @Override
    protected NativeCompletionQueue newCompletionQueue(CqInitAttrEx attr, long cq) {
        ByteBuffer memory = attr.vendor() instanceof EfaCqInitAttr efa ? efa.dmabufMapping() : null;
        if (attr.vendor() instanceof EfaCqInitAttr efa && efa.isExtMemDmabuf() && memory == null) {
            IbvCq unread = new IbvCq(cq, functions(), quirks(), windows(), false); // libefa would read at address 0
            return new EfaNativeCompletionQueue(context(), attr, unread, events.areThere());
        }
        boolean oneThread = (attr.flags() & CqCreateFlags.SINGLE_THREADED) != 0;
        if (path.java()) {
            EfaRingCq ring = new EfaRingCq(this, cq, oneThread);
            long wcFlags = attr.vendor() instanceof EfaCqInitAttr efa ? efa.wcFlags() : 0;
            EfaReader reader = new EfaReader(ring.ring(), wcFlags, ring::isOverrun);
            return new EfaRingCompletionQueue(context(), attr, ring, ring.ring(), reader, memory);
        }
        EfaCqEx ibv = new EfaCqEx(this, cq, attr.wcFlags(), oneThread);
        return new EfaNativeCompletionQueue(context(), attr, ibv, events.areThere(), memory);
    }
}
