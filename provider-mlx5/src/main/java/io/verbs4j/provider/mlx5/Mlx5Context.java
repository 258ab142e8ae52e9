/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.AtomicCap;
import io.verbs4j.CompletionChannel;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.ring.Doorbell;
import io.verbs4j.provider.mlx5.ring.RingLocks;
import io.verbs4j.provider.mlx5.ring.Rings;
import io.verbs4j.rdmacore.NativeContext;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An open ConnectX: the control verbs go to libmlx5, and the handles with a data path are our own. */
public final class Mlx5Context extends NativeContext {
    private final DataPath path;
    private final Rings rings = new Rings();
    private final RingLocks locks;
    private final Map<Long, Doorbell> doorbells = new ConcurrentHashMap<>();
    private final Children children;

    Mlx5Context(NativeDevice device, Context context, DataPath path) {
        super(device, context);
        this.path = path;
        this.locks = new RingLocks(path.singleThreaded());
        children = new Children("the context of " + device.name());
        Mlx5Contexts.opened(context, this);
    }

    /** What applications have made of mlx5dv that the library does not know of. */
    public Children children() {
        return children;
    }

    @Override
    public void close() {
        children.closeFor("close_device", super::close);
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
            Doorbell d = known == null ? new Doorbell(register, qp.bfSize(), path.combines(qp.bfSize())) : known;
            d.join();
            return d;
        });
        if (doorbell.isShared()) {
            awaitPosts(); // one that began without the lock
        }
        return doorbell;
    }

    /** Gives it back; libmlx5 may unmap the page of one that nobody uses. */
    void release(Doorbell doorbell) {
        doorbells.computeIfPresent(doorbell.register(), (register, d) -> d.leave() ? null : d);
    }

    @Override
    protected void awaitPosts() {
        locks.awaitAll();
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
