/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.PciAtomicSizes;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpStateTable;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.VerbsException;
import io.verbs4j.WqInitAttr;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.Mlx5DcType;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Mlx5OpenAttr;
import io.verbs4j.mlx5dv.Mlx5SendRequest;
import io.verbs4j.mlx5dv.steering.Steering;
import io.verbs4j.natives.lock.RingLocks;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.dv.DvContext;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.dv.DvQp;
import io.verbs4j.provider.mlx5.dv.RemadeQp;
import io.verbs4j.provider.mlx5.dv.RingMemory;
import io.verbs4j.provider.mlx5.layout.DvContextAttrLayout;
import io.verbs4j.provider.mlx5.ring.AddressVector;
import io.verbs4j.provider.mlx5.ring.Doorbell;
import io.verbs4j.provider.mlx5.ring.MrKeyHandle;
import io.verbs4j.provider.mlx5.ring.Rings;
import io.verbs4j.provider.mlx5.ring.SendElements;
import io.verbs4j.provider.mlx5.ring.SendQueue;
import io.verbs4j.rdmacore.DataPath;
import io.verbs4j.rdmacore.NativeContext;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import io.verbs4j.rdmacore.object.NativeWorkQueue;
import io.verbs4j.rdmacore.object.QpExFunctions;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import io.verbs4j.rdmacore.quirk.TickClock;
import io.verbs4j.rdmacore.ring.RingQp;
import io.verbs4j.slot.AllocMrKey;
import io.verbs4j.slot.CreateCqEx;
import io.verbs4j.slot.CreateQpEx;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongUnaryOperator;

/** An open ConnectX: control verbs go to libmlx5, and handles with a data path are the provider's own. */
public final class Mlx5Context extends DvContext {
    /** Property that selects whether Java or libmlx5 writes and reads the queues. */
    static final String PATH = DataPath.property("mlx5");

    private static final long MASKED =
            QpCreateSendOps.MASKED_ATOMIC_CMP_AND_SWP | QpCreateSendOps.MASKED_ATOMIC_FETCH_AND_ADD;

    private final DataPath path;
    private volatile int maskedSizes = -1;
    private volatile int inlineHeader = -1;
    private final CrossChannel cross = new CrossChannel(this);
    private final Rings rings = new Rings();
    private final RingLocks locks;
    private final MrKeyVerbs mrKeys = new MrKeyVerbs(this);
    private final Map<Long, Doorbell> doorbells = new ConcurrentHashMap<>();
    private final RingMemory ringMemory = new RingMemory();

    Mlx5Context(NativeDevice device, Context context, DataPath path) {
        super(device, context, candidate -> open(candidate, context));
        this.path = path;
        this.locks = new RingLocks(path.singleThreaded());
    }

    /** Returns the base type so that {@link Mlx5Provider} loads even when this class cannot. */
    static NativeContext of(NativeDevice device, Context context, DataPath path) {
        return new Mlx5Context(device, context, path);
    }

    /** Opens the device; attributes unknown here are not accepted, so the library refuses them. */
    private static long open(long device, Context context) {
        if (!(context.openAttr().vendor() instanceof Mlx5OpenAttr attr) || (attr.flags() & ~Mlx5OpenAttr.DEVX) != 0) {
            return Libibverbs.ibv_open_device(device);
        }
        context.acceptOpenAttr(OpenAttrMask.VENDOR, 0);
        try (Scratch c = new Scratch(DvContextAttrLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + DvContextAttrLayout.FLAGS, attr.flags());
            return Libmlx5.function("mlx5dv_open_device", 21).call(device, c.address());
        }
    }

    @Override
    public RingMemory ringMemory() {
        return ringMemory;
    }

    @Override
    public boolean isJavaPath() {
        return path.java();
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            Reference.reachabilityFence(ringMemory); // libmlx5 frees the last of it while it closes
        }
    }

    // ---- mlx5-specific verbs

    @Override
    public <T> T vendor(Class<T> type) {
        if (type.getName().equals("io.verbs4j.devicecode.spi.RingSource")) { // loaded only if a program asks for it
            return type.cast(new DeviceRings(this));
        }
        return type == Mlx5Dv.class || type == Steering.class || type == Devx.class
                ? vendorVerbs(MethodHandles.lookup(), type)
                : super.vendor(type);
    }

    @Override
    protected void fill(ContextTable table) {
        super.fill(table);
        if (table.size() > ContextSlot.CREATE_QP_EX
                && table.provider(ContextSlot.CREATE_QP_EX) instanceof CreateQpEx usual) {
            table.fillProvider(ContextSlot.CREATE_QP_EX, (CreateQpEx)
                    attr -> DvQueues.isOurs(attr) ? DvQueues.qp(this, attr) : usual.createQpEx(attr));
        }
        if (table.size() > ContextSlot.CREATE_CQ_EX
                && table.provider(ContextSlot.CREATE_CQ_EX) instanceof CreateCqEx usual) {
            table.fillProvider(ContextSlot.CREATE_CQ_EX, (CreateCqEx) attr ->
                    (attr.compMask() & CqInitAttrMask.VENDOR) == 0 ? usual.createCqEx(attr) : DvQueues.cq(this, attr));
        }
        if (path.java()) {
            table.fillProvider(ContextSlot.ALLOC_MR_KEY, (AllocMrKey) mrKeys::alloc);
        }
    }

    @Override
    public CompletionQueue createCq(
            int cqe, Object userContext, CompletionChannel channel, int compVector, Object vendor) {
        return knownCq(userContext, channel, DvQueues.cq(this, cqe, channel, compVector, vendor));
    }

    /** Creates an extended completion queue through a function that takes a {@code struct ibv_cq_init_attr_ex}. */
    CompletionQueue createCq(String verb, CqInitAttrEx attr, LongUnaryOperator create) {
        return createCqEx(verb, attr, create);
    }

    @Override
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        QpInitAttrEx extended = QpInitAttrEx.of(pd, attr); // shares the capacities
        return DvQueues.isOurs(extended) ? DvQueues.qp(this, extended) : super.createQp(pd, attr);
    }

    /**
     * Creates a queue pair through a function that takes a {@code struct ibv_qp_init_attr_ex} and returns a
     * {@code struct ibv_qp}.
     *
     * @param dcType 0 unless it is an end of DC
     * @param known as for the method that this calls
     */
    QueuePair createQp(String verb, QpInitAttrEx attr, int dcType, boolean known, LongUnaryOperator create) {
        // libmlx5 accepts the address of a target only through ibv_wr_*; for a work request it would write an element
        // without one.
        boolean unpostable = dcType == Mlx5DcType.DCI && !path.java();
        long operations = unpostable ? DvQueues.none(verb, attr) : operations(verb, attr);
        if (dcType == 0 && !path.java() && DvQueues.sendOps(attr) != 0) {
            return createBuiltQp(verb, attr, known, operations, operations & QpExFunctions.OPERATIONS, create);
        }
        return createQp(
                verb,
                attr,
                known,
                create,
                qp -> dcType == Mlx5DcType.DCT
                        ? new NativeQueuePair(context(), attr, new DcTarget(this, attr, qp))
                        : newQueuePair(attr, operations, qp));
    }

    /** Returns the operations that C has no work requests for and that Java writes. */
    @Override
    protected long moreOperations(int qpType) {
        if (!path.java() || qpType == QpType.RAW_PACKET) {
            return invalidations(qpType);
        }
        boolean answered = qpType == QpType.RC || qpType == QpType.XRC_SEND || qpType == QpType.DRIVER;
        boolean crosses = qpType == QpType.RC || qpType == QpType.UC || qpType == QpType.UD;
        return QpCreateSendOps.NOP
                | invalidations(qpType)
                | (crosses && cross.isThere() ? CrossChannel.OPERATIONS : 0)
                | (qpType == QpType.RC && maxFastRegLen() != 0 ? QpCreateSendOps.REG_MR : 0)
                | (answered && maskedAtomicSizes() == PciAtomicSizes.SIZE_4_BYTE + PciAtomicSizes.SIZE_8_BYTE
                        ? MASKED
                        : 0);
    }

    /**
     * Returns the invalidations of types other than RC: UC can invalidate the windows that it binds, and a message to
     * an XRC target can invalidate a key of the target's domain. UC has no packet for the latter, and XRC_SEND binds
     * nothing.
     */
    private long invalidations(int qpType) {
        long has = qpType == QpType.UC
                ? QpCreateSendOps.LOCAL_INV
                : qpType == QpType.XRC_SEND ? QpCreateSendOps.SEND_WITH_INV : 0;
        return has != 0 && hasWindowsOfTypeTwo() ? has : 0;
    }

    /** Adds block lists, whose pieces may have any length and address. */
    @Override
    protected long moreCapabilities(long caps) {
        return mrKeys.areThere(caps) ? DeviceCap.BLOCK_LIST : 0;
    }

    @Override
    protected int maxFastRegLen() {
        return (limits().deviceCaps() & DeviceCap.BLOCK_LIST) != 0 ? SendElements.MAX_FAST_REG_LEN : 0;
    }

    @Override
    public void reregMr(MemoryRegion mr, int flags, ProtectionDomain pd, long addr, long length, int access) {
        if (mr instanceof MrKeyHandle) {
            throw new VerbsException(
                    Errno.EINVAL, "rereg_mr", "the region is a key of allocMrKey; use REG_MR to give it other memory");
        }
        super.reregMr(mr, flags, pd, addr, length, access);
    }

    @Override
    public void deregMr(MemoryRegion mr) {
        if (mr instanceof MrKeyHandle handle) {
            mrKeys.dereg(handle);
        } else {
            super.deregMr(mr);
        }
    }

    @Override
    protected int moreCreateFlags() {
        return path.java() && cross.isThere() ? CrossChannel.FLAGS : 0;
    }

    CrossChannel cross() {
        return cross;
    }

    @Override
    protected long builtOperations(int qpType) {
        return path.builds() && qpType != QpType.RAW_PACKET ? QpExFunctions.OPERATIONS : 0;
    }

    @Override
    protected int maskedAtomicSizes() {
        if (!path.java()) {
            return 0;
        }
        if (maskedSizes < 0) {
            maskedSizes = AtomicCaps.maskedSizes(this); // a race is harmless: the value is always the same
        }
        return maskedSizes;
    }

    @Override
    protected long operations(String verb, QpInitAttrEx attr) {
        int type = attr.qpType();
        if (path.java() && type == QpType.RAW_PACKET) {
            requireFrames(verb);
        } else if (path.java() && !QpStateTable.knows(type) && type != QpType.DRIVER) {
            throw lacking(verb, "Java does not post to queue pairs of type " + QpType.toString(type));
        }
        return CrossChannel.operations(attr, super.operations(verb, attr));
    }

    /** The Java path carries frames only with DevX, which alone reports the queue that a frame belongs to. */
    @Override
    protected boolean carriesFrames() {
        return !path.java() || FrameIndex.isAskable() && mrKeys.hasDevx();
    }

    @Override
    protected void requireFrames(String verb) {
        if (!carriesFrames()) {
            throw lacking(verb, "without DevX, Java does not know which queue received a raw packet");
        }
    }

    /** Returns the number of bytes of a frame that the device needs in an element. */
    int inlineHeader() {
        if (inlineHeader < 0) {
            inlineHeader = FrameEnds.inlineHeader(this); // a race is harmless: the value is always the same
        }
        return inlineHeader;
    }

    /** Returns whether the device computes and verifies checksums of raw packets. */
    boolean makesChecksums() {
        return (limits().deviceCaps() & DeviceCap.RAW_IP_CSUM) != 0;
    }

    /** Returns the maximum number of bytes that the device splits into TCP segments. */
    int mostSegmented() {
        return maxTso();
    }

    private static VerbsException lacking(String verb, String what) {
        return new VerbsException(Errno.EOPNOTSUPP, verb, what + "; libmlx5 may: use -D" + PATH + "=native");
    }

    @Override
    public boolean isWithoutRings(QueuePair qp) {
        return qp instanceof NativeQueuePair known && known.ibv instanceof DcTarget || qp.qpType() == QpType.XRC_RECV;
    }

    @Override
    public SendQueue sendsOf(NativeQueuePair qp) {
        return qp.ibv instanceof Mlx5Qp known ? known.sends() : null;
    }

    @Override
    public long sendOpsOf(NativeQueuePair qp) {
        return qp.ibv instanceof Mlx5Qp known ? known.sendOps() : 0;
    }

    @Override
    public void modifyQp(QueuePair qp, QpAttr attr, int mask) {
        if (qp.qpType() == QpType.DRIVER) {
            boolean target = ((NativeQueuePair) qp).ibv instanceof DcTarget;
            requireChange(qp, attr, mask, (from, to, set) -> DcStates.check(target, from, to, set));
        }
        boolean toReset = (mask & QpAttrMask.STATE) != 0 && attr.qpState() == QpState.RESET;
        if (toReset && ((NativeQueuePair) qp).ibv instanceof RingQp known) {
            known.requireResettable();
        }
        super.modifyQp(qp, attr, mask);
    }

    @Override
    public void queryQp(QueuePair qp, QpAttr attr, int mask, QpInitAttr initAttr) {
        if (((NativeQueuePair) qp).ibv instanceof DcTarget target) {
            int readable = target.readable(mask, attr);
            if (readable == 0) {
                return;
            }
            super.queryQp(qp, attr, readable, initAttr);
        } else {
            super.queryQp(qp, attr, mask, initAttr);
        }
    }

    Rings rings() {
        return rings;
    }

    RingLocks locks() {
        return locks;
    }

    /**
     * Returns the doorbell of a register, which several queue pairs may share. The caller must give it to
     * {@link #release}.
     */
    Doorbell doorbell(DvObjects.Qp qp) {
        Doorbell doorbell = doorbells.compute(qp.bfReg(), (register, known) -> {
            Doorbell d = known == null
                    ? new Doorbell(
                            register,
                            qp.bfSize(),
                            BlueFlame.combines(qp.bfSize()),
                            BlueFlame.isThere(),
                            BlueFlame.isPreferred())
                    : known;
            d.join();
            return d;
        });
        if (doorbell.isSharedSinceNow()) {
            awaitPosts(); // one may have begun without the lock
            doorbell.locked();
        }
        return doorbell;
    }

    /** Releases a doorbell; libmlx5 may unmap the page of one that is no longer used. */
    void release(Doorbell doorbell) {
        doorbells.computeIfPresent(doorbell.register(), (register, d) -> d.leave() ? null : d);
    }

    @Override
    protected void awaitPosts() {
        if (path.java()) { // libmlx5's posts pin what they read
            locks.awaitAll();
        }
    }

    @Override
    protected boolean bindsWindows() {
        return path.java() || super.bindsWindows();
    }

    /** Java does not read the completions of tag matching. */
    @Override
    protected boolean mayMatchTags() {
        return !path.java();
    }

    @Override
    protected boolean copiesFromCompletions() {
        return !path.java();
    }

    @Override
    protected NativeCompletionQueue newCompletionQueue(Object userContext, CompletionChannel channel, long cq) {
        return path.java()
                ? new Mlx5CompletionQueue(this, userContext, channel, new Mlx5Cq(this, cq, false))
                : super.newCompletionQueue(userContext, channel, cq);
    }

    @Override
    protected NativeCompletionQueue newCompletionQueue(CqInitAttrEx attr, long cq) {
        if (!path.java()) {
            return super.newCompletionQueue(attr, cq);
        }
        boolean singleThreaded = (attr.flags() & CqCreateFlags.SINGLE_THREADED) != 0;
        TickClock clock = clockFor(attr);
        return new Mlx5CompletionQueue(this, attr, new Mlx5Cq(this, cq, singleThreaded), clock);
    }

    @Override
    protected NativeAddressHandle newAddressHandle(ProtectionDomain pd, long ah) {
        return path.java() ? new AddressVector(pd, ah, DvObjects.av(ah)) : super.newAddressHandle(pd, ah);
    }

    @Override
    protected NativeQueuePair newQueuePair(QpInitAttrEx attr, long operations, long qp) {
        if (!path.java() && attr.qpType() != QpType.DRIVER && DvQueues.sendOps(attr) != 0) {
            return new NativeQueuePair(
                    context(), attr, new DvQp<Mlx5SendRequest>(this, attr, operations, qp, DvQueues.sendOps(attr)));
        }
        if (!path.java() || attr.qpType() == QpType.XRC_RECV || attr.rwqIndTbl() != null) {
            return super.newQueuePair(attr, operations, qp);
        }
        Mlx5Cq.requireUsable(attr.sendCq());
        Mlx5Cq.requireUsable(attr.recvCq());
        RemadeQp remade = CrossChannel.flags(attr) == 0 ? null : cross.remake(attr, qp);
        FrameEnds frames = attr.qpType() == QpType.RAW_PACKET ? FrameEnds.of(this, attr, operations, qp) : null;
        return new Mlx5QueuePair(this, attr, new Mlx5Qp(this, attr, operations, qp, remade, frames));
    }

    @Override
    protected NativeWorkQueue newWorkQueue(WqInitAttr attr, long wq) {
        return path.java()
                ? new NativeWorkQueue(context(), attr, FrameEnds.workQueue(this, attr, wq))
                : super.newWorkQueue(attr, wq);
    }

    @Override
    protected NativeSharedReceiveQueue newSharedReceiveQueue(SrqInitAttrEx attr, long srq) {
        return path.java()
                ? new Mlx5SharedReceiveQueue(this, attr, new Mlx5Srq(this, attr, srq))
                : super.newSharedReceiveQueue(attr, srq);
    }
}
