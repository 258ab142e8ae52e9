/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Errno;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.Mailbox;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.provider.mlx5.dv.RemadeQp;
import io.verbs4j.provider.mlx5.ring.CrossCounter;
import io.verbs4j.provider.mlx5.ring.CrossPeers;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * Cross-channel support of a context: queue pairs that wait for completion queues, and enable the requests of other
 * queue pairs.
 */
final class CrossChannel implements CrossPeers {
    /** The creation flags of cross-channel queue pairs. */
    static final int FLAGS = QpCreateFlags.CROSS_CHANNEL | QpCreateFlags.MANAGED_SEND | QpCreateFlags.MANAGED_RECV;

    /** The operations of queue pairs with {@link QpCreateFlags#CROSS_CHANNEL}. */
    static final long OPERATIONS = QpCreateSendOps.CQE_WAIT | QpCreateSendOps.SEND_ENABLE | QpCreateSendOps.RECV_ENABLE;

    /** Bit of {@code cd} in the general capabilities. */
    private static final int CD = 0x22c;

    private static final int UNKNOWN = 0;
    private static final int LACKING = 1;
    private static final int THERE = 2;

    private final Mlx5Context base;
    private volatile int known = UNKNOWN;
    private RingLock lock;

    CrossChannel(Mlx5Context base) {
        this.base = base;
    }

    /**
     * Returns whether the device supports cross channel and libmlx5 can allocate the register page that its queue pairs
     * need.
     */
    boolean isThere() {
        if (known == UNKNOWN) {
            Mailbox caps = Libmlx5.has("mlx5dv_devx_alloc_uar") ? HcaCaps.of(base, HcaCaps.GENERAL) : null;
            known = caps != null && HcaCaps.field(caps, CD, 1) != 0 ? THERE : LACKING;
        }
        return known == THERE;
    }

    /** Returns those of {@link #FLAGS} that a queue pair is created with. */
    static int flags(QpInitAttrEx attr) {
        return (attr.compMask() & QpInitAttrMask.CREATE_FLAGS) != 0 ? attr.createFlags() & FLAGS : 0;
    }

    /** Returns the operations of a queue pair, out of those that its type supports. */
    static long operations(QpInitAttrEx attr, long able) {
        return (flags(attr) & QpCreateFlags.CROSS_CHANNEL) != 0 ? able : able & ~OPERATIONS;
    }

    /** Recreates the kernel's queue pair with these flags and the other flags that the kernel knows. */
    RemadeQp remake(QpInitAttrEx attr, long qp) {
        String verb = "create_qp_ex";
        int type = attr.qpType();
        if (type != QpType.RC && type != QpType.UC && type != QpType.UD) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "createFlags is " + QpCreateFlags.toString(flags(attr))
                            + ", which only RC, UC and UD queue pairs take");
        }
        if (attr.srq() != null && (flags(attr) & QpCreateFlags.MANAGED_RECV) != 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "createFlags has MANAGED_RECV, but the queue pair uses a shared receive queue; leave one of them"
                            + " out");
        }
        return RemadeQp.of(base.address(), qp, attr, attr.createFlags() & (FLAGS | QpCreateFlags.BLOCK_SELF_MCAST_LB));
    }

    /**
     * Returns the one lock of all cross-channel send queues: a request that enables another queue pair's requests also
     * accesses that one's queue.
     */
    synchronized RingLock lock() {
        if (lock == null) {
            lock = base.locks().make();
        }
        return lock;
    }

    @Override
    public CrossCounter find(SendWorkRequest wr) {
        if (wr.opcode() == WrOpcode.CQE_WAIT) {
            return wr.waitCq() instanceof NativeCompletionQueue named
                            && named.ibv instanceof Mlx5Cq cq
                            && cq.isOpenOf(base)
                    ? cq.ring().waits()
                    : null;
        }
        if (!(wr.enableQp() instanceof NativeQueuePair named && named.ibv instanceof Mlx5Qp qp && qp.isOpenOf(base))) {
            return null;
        }
        return wr.opcode() == WrOpcode.SEND_ENABLE ? qp.managedSends() : qp.managedReceives();
    }

    /** Explains why a request cannot be posted; returns null if no reason is known. */
    String broken(SendWorkRequest wr) {
        if (wr.numSge() != 0) {
            return WrOpcode.toString(wr.opcode()) + " has no data; leave sgList out";
        }
        CrossCounter counter = find(wr);
        if (counter != null) {
            return null;
        }
        return switch (wr.opcode()) {
            case WrOpcode.CQE_WAIT -> "waitCq must be an open completion queue of this context";
            case WrOpcode.SEND_ENABLE ->
                "enableQp must be an open queue pair of this context, created with MANAGED_SEND";
            default -> "enableQp must be an open queue pair of this context, created with MANAGED_RECV";
        };
    }
}
