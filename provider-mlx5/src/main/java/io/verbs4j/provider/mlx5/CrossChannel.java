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
import io.verbs4j.rdmacore.call.Libmlx5;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;

/** What a context has of cross channel: queue pairs that wait for completion queues, and let the queues of others begin. */
final class CrossChannel implements CrossPeers {
    /** What queue pairs of it are made with. */
    static final int FLAGS = QpCreateFlags.CROSS_CHANNEL | QpCreateFlags.MANAGED_SEND | QpCreateFlags.MANAGED_RECV;

    /** What can be posted to those with {@link QpCreateFlags#CROSS_CHANNEL}. */
    static final long OPERATIONS = QpCreateSendOps.CQE_WAIT | QpCreateSendOps.SEND_ENABLE | QpCreateSendOps.RECV_ENABLE;

    /** Of the general capabilities: {@code cd}. */
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

    /** Whether the device has it, and its own queue pairs can be made so. */
    boolean isThere() {
        if (known == UNKNOWN) {
            Mailbox caps = Libmlx5.has("mlx5dv_devx_alloc_uar") ? HcaCaps.of(base, HcaCaps.GENERAL) : null;
            known = caps != null && HcaCaps.field(caps, CD, 1) != 0 ? THERE : LACKING;
        }
        return known == THERE;
    }

    /** Which of {@link #FLAGS} a queue pair is made with. */
    static int flags(QpInitAttrEx attr) {
        return (attr.compMask() & QpInitAttrMask.CREATE_FLAGS) != 0 ? attr.createFlags() & FLAGS : 0;
    }

    /** The operations of a queue pair, of those that its type could have. */
    static long operations(QpInitAttrEx attr, long able) {
        return (flags(attr) & QpCreateFlags.CROSS_CHANNEL) != 0 ? able : able & ~OPERATIONS;
    }

    /** Makes the kernel's part of a queue pair anew, with these flags and the others that the kernel knows. */
    RemadeQp remake(QpInitAttrEx attr, long qp) {
        String verb = "create_qp_ex";
        int type = attr.qpType();
        if (type != QpType.RC && type != QpType.UC && type != QpType.UD) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "createFlags is " + QpCreateFlags.toString(flags(attr)) + ", which is for RC, UC and UD");
        }
        if (attr.srq() != null && (flags(attr) & QpCreateFlags.MANAGED_RECV) != 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "createFlags has MANAGED_RECV, but receives are those of a shared receive queue; leave one of them out");
        }
        return RemadeQp.of(base.address(), qp, attr, attr.createFlags() & (FLAGS | QpCreateFlags.BLOCK_SELF_MCAST_LB));
    }

    /** The one lock of all send queues of cross channel: who lets another one begin has looked at that one's queue. */
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

    /** Why a request can't be posted, in words; null where no reason is known. */
    String broken(SendWorkRequest wr) {
        if (wr.numSge() != 0) {
            return WrOpcode.toString(wr.opcode()) + " has no data; leave sgList out";
        }
        CrossCounter counter = find(wr);
        if (counter != null) {
            return null;
        }
        return switch (wr.opcode()) {
            case WrOpcode.CQE_WAIT -> "waitCq must be an open one of this context";
            case WrOpcode.SEND_ENABLE -> "enableQp must be an open one of this context, made with MANAGED_SEND";
            default -> "enableQp must be an open one of this context, made with MANAGED_RECV";
        };
    }
}
