/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.AtomicCap;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.Mlx5DcType;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.dv.RingMemory;
import io.verbs4j.provider.mlx5.ring.Doorbell;
import io.verbs4j.provider.mlx5.ring.RingLocks;
import io.verbs4j.provider.mlx5.ring.Rings;
import io.verbs4j.rdmacore.NativeContext;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import io.verbs4j.slot.CreateQpEx;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/** An open ConnectX: the control verbs go to libmlx5, and the handles with a data path are our own. */
public final class Mlx5Context extends NativeContext {
    private final DataPath path;
    private final Rings rings = new Rings();
    private final RingLocks locks;
    private final Map<Long, Doorbell> doorbells = new ConcurrentHashMap<>();
    private final Children children;
    private final RingMemory ringMemory = new RingMemory();

    Mlx5Context(NativeDevice device, Context context, DataPath path) {
        super(device, context);
        this.path = path;
        this.locks = new RingLocks(path.singleThreaded());
        children = new Children("the context of " + device.name());
        Mlx5Contexts.opened(context, this);
    }

    /** Where the memory of rings comes from. */
    public RingMemory ringMemory() {
        return ringMemory;
    }

    /** Whether Java writes and reads the queues. */
    public boolean isJavaPath() {
        return path.java();
    }

    /** What applications have made of mlx5dv that the library does not know of. */
    public Children children() {
        return children;
    }

    @Override
    public void close() {
        try {
            children.closeFor("close_device", super::close);
        } finally {
            Reference.reachabilityFence(ringMemory); // libmlx5 gives the last of it back while it closes
        }
    }

    // ---- what mlx5dv makes, with the library's checks and records

    @Override
    protected void fill(ContextTable table) {
        super.fill(table);
        if (table.size() > ContextSlot.CREATE_QP_EX
                && table.provider(ContextSlot.CREATE_QP_EX) instanceof CreateQpEx usual) {
            table.fillProvider(ContextSlot.CREATE_QP_EX, (CreateQpEx)
                    attr -> Detour.make(QueuePair.class, () -> usual.createQpEx(attr)));
        }
    }

    @Override
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        return Detour.make(QueuePair.class, () -> super.createQp(pd, attr));
    }

    @Override
    public CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        return Detour.make(CompletionQueue.class, () -> super.createCq(cqe, userContext, channel, compVector));
    }

    /** Creates a completion queue by a function that returns a {@code struct ibv_cq}. */
    public CompletionQueue createCq(
            int cqe, Object userContext, CompletionChannel channel, int compVector, LongSupplier create) {
        return Detour.through(
                () -> knownCq(userContext, channel, Answers.checkPointer("mlx5dv_create_cq", create.getAsLong())),
                () -> context().createCq(cqe, userContext, channel, compVector));
    }

    /**
     * Creates a queue pair by a function that gets a {@code struct ibv_qp_init_attr_ex} and returns a {@code struct ibv_qp}.
     *
     * @param library the same attributes, with a type that the library knows
     * @param dcType 0 where it is none of DC
     */
    public QueuePair createQp(QpInitAttrEx attr, QpInitAttrEx library, int dcType, LongUnaryOperator create) {
        return Detour.through(
                () -> createQp("mlx5dv_create_qp", attr, create, qp -> newQueuePair(attr, qp, dcType)),
                () -> context().createQpEx(library));
    }

    private NativeQueuePair newQueuePair(QpInitAttrEx attr, long qp, int dcType) {
        if (dcType == Mlx5DcType.DCT) {
            return new DcTarget(this, attr, qp);
        }
        return dcType == Mlx5DcType.DCI && !path.java() ? new DcInitiator(this, attr, qp) : newQueuePair(attr, qp);
    }

    /** The number of a DC target; for others EINVAL. To be called while it is pinned. */
    public static int dctNumber(NativeQueuePair qp) {
        if (qp instanceof DcTarget target) {
            return target.dctNumber();
        }
        throw new VerbsException(Errno.EINVAL, "mlx5dv", "the queue pair is no DC target; its number is qpNum()");
    }

    /** Whether it has no rings of its own. */
    public static boolean isWithoutRings(NativeQueuePair qp) {
        return qp instanceof DcTarget || qp.qpType() == QpType.XRC_RECV;
    }

    /** Modifies a queue pair of DC, whose states the library's table does not know. To be called while it is pinned. */
    public void modifyDc(String verb, NativeQueuePair qp, QpAttr attr) {
        synchronized (qp.pin()) { // one change at a time; the library's lock is out of reach
            QpAttr now = new QpAttr();
            queryQp(qp, now, QpAttrMask.STATE, new QpInitAttr());
            int mask = attr.mask();
            int to = (mask & QpAttrMask.STATE) == 0 ? now.qpState() : attr.qpState();
            String wrong = DcStates.check(qp instanceof DcTarget, now.qpState(), to, mask);
            if (wrong != null) {
                throw new VerbsException(Errno.EINVAL, verb, wrong);
            }
            modifyQp(qp, attr, mask);
        }
    }

    @Override
    public void queryQp(QueuePair qp, QpAttr attr, int mask, QpInitAttr initAttr) {
        if (qp instanceof DcTarget target) {
            int readable = target.readable(mask, attr);
            if (readable == 0) {
                return;
            }
            super.queryQp(qp, attr, readable, initAttr);
        } else {
            super.queryQp(qp, attr, mask, initAttr);
        }
    }

    DataPath path() {
        return path;
    }

    Rings rings() {
        return rings;
    }

    boolean atomics() {
        return limits().atomicCap() != AtomicCap.NONE;
    }

    RingLocks locks() {
        return locks;
    }

    /** The doorbell of a register, which several queue pairs may share. To be given to {@link #release}. */
    Doorbell doorbell(DvObjects.Qp qp) {
        Doorbell doorbell = doorbells.compute(qp.bfReg(), (register, known) -> {
            Doorbell d = known == null
                    ? new Doorbell(
                            register,
                            qp.bfSize(),
                            path.combines(qp.bfSize()),
                            path.blueFlame(),
                            path.prefersBlueFlame())
                    : known;
            d.join();
            return d;
        });
        if (doorbell.isSharedSinceNow()) {
            awaitPosts(); // one that began without the lock
            doorbell.locked();
        }
        return doorbell;
    }

    /** Gives it back; libmlx5 may unmap the page of one that nobody uses. */
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
    protected boolean copiesFromCompletions() {
        return !path.java();
    }

    @Override
    protected NativeCompletionQueue newCompletionQueue(Object userContext, CompletionChannel channel, long cq) {
        return path.java()
                ? new Mlx5CompletionQueue(this, userContext, channel, cq)
                : super.newCompletionQueue(userContext, channel, cq);
    }

    @Override
    protected NativeAddressHandle newAddressHandle(ProtectionDomain pd, long ah) {
        return path.java() ? new Mlx5AddressHandle(pd, ah) : super.newAddressHandle(pd, ah);
    }

    @Override
    protected NativeQueuePair newQueuePair(QpInitAttrEx attr, long qp) {
        return path.java() && attr.qpType() != QpType.XRC_RECV
                ? new Mlx5QueuePair(this, attr, qp)
                : super.newQueuePair(attr, qp);
    }

    @Override
    protected NativeSharedReceiveQueue newSharedReceiveQueue(SrqInitAttrEx attr, long srq) {
        return path.java() ? new Mlx5SharedReceiveQueue(this, attr, srq) : super.newSharedReceiveQueue(attr, srq);
    }
}
