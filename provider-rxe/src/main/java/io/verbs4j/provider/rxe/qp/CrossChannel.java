/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.Errno;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.queue.CompletionWaits;
import io.verbs4j.provider.rxe.queue.CqHost;
import io.verbs4j.provider.rxe.queue.CrossRequest;
import io.verbs4j.provider.rxe.queue.RecvQueue;
import io.verbs4j.provider.rxe.queue.RxeCompletionQueue;
import io.verbs4j.provider.rxe.queue.SendQueue;
import io.verbs4j.provider.rxe.queue.SendWqe;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The cross-channel state of a queue pair: it waits for completion queues, enables other queue pairs, or is enabled by
 * them. A thread that wakes or enables it holds a lock of its own and takes none of this queue pair's; the port's
 * worker thread does the rest.
 *
 * <p>Source: CoreDirect of MLNX_OFED.
 */
final class CrossChannel implements CompletionWaits.Waiter, CrossRequest.Managed {
    private static final int ANY =
            QpCreateFlags.CROSS_CHANNEL | QpCreateFlags.MANAGED_SEND | QpCreateFlags.MANAGED_RECV;

    private final RxeQp qp;
    private final QpHost host;
    private final int flags;
    private final RecvQueue receives;

    /** Number of send requests that were enabled since the send queue was last told. */
    private final AtomicLong enabled = new AtomicLong();

    /** Whether all posted send requests were enabled. */
    private volatile boolean allEnabled;

    /** Whether the worker thread is to continue the send queue. */
    private volatile boolean due;

    private CrossChannel(RxeQp qp, QpHost host, int flags, RecvQueue receives) {
        this.qp = qp;
        this.host = host;
        this.flags = flags;
        this.receives = receives;
    }

    /** Returns the cross-channel state of a new queue pair, or null if it has none. */
    static CrossChannel of(RxeQp qp, QpHost host, QpInitAttrEx attr, SendQueue sends, RecvQueue receives) {
        int flags = createFlags(attr) & ANY;
        if (flags == 0) {
            return null;
        }
        if ((flags & QpCreateFlags.MANAGED_SEND) != 0) {
            sends.manage();
        }
        if ((flags & QpCreateFlags.MANAGED_RECV) != 0) {
            receives.manage();
        }
        return new CrossChannel(qp, host, flags, receives);
    }

    /** {@return the creation flags of a queue pair, {@link QpCreateFlags} bits} */
    static int createFlags(QpInitAttrEx attr) {
        long given = attr.compMask() & (QpInitAttrMask.CREATE_FLAGS | QpInitAttrMask.CREATE_HINTS);
        return given != 0 ? attr.createFlags() : 0;
    }

    /** Returns the {@link QpCreateSendOps} bit of a cross-channel opcode. */
    static long operation(int opcode) {
        return QpCreateSendOps.CQE_WAIT << opcode - WrOpcode.CQE_WAIT;
    }

    /** Returns whether the queue pair may wait and enable others. */
    boolean mayPost() {
        return (flags & QpCreateFlags.CROSS_CHANNEL) != 0;
    }

    /** Returns whether the object that a request names is open and belongs to this device. */
    boolean hasWhatItNames(SendWorkRequest wr) {
        return wr.opcode() == WrOpcode.CQE_WAIT
                ? wr.waitCq() instanceof RxeCompletionQueue handle
                        && host instanceof CqHost queues
                        && handle.cq.isOn(queues)
                : managed(wr.enableQp(), wr.opcode()) != null;
    }

    /** Checks a cross-channel request; returns 0 or an errno. */
    int check(SendWqe wqe) {
        if (!wqe.data.isEmpty()) {
            return Errno.EINVAL;
        }
        if (wqe.opcode == WrOpcode.CQE_WAIT) {
            return host instanceof CqHost queues ? wqe.cross.checkWait(queues) : Errno.EOPNOTSUPP;
        }
        return wqe.cross.checkEnable(managed(wqe.cross.qp(), wqe.opcode));
    }

    /** Carries out a request; returns a status, or {@link CrossRequest#WAITS}. The caller holds the send lock. */
    int execute(SendWqe wqe) {
        int status = wqe.cross.execute(wqe.opcode, this);
        wqe.executed = status == WcStatus.SUCCESS;
        return status;
    }

    /**
     * Returns the state through which a queue pair of this device is enabled, or null if the queue pair is not managed.
     */
    private CrossChannel managed(Object handle, int opcode) {
        RxeQp other = handle instanceof RxeQueuePair made ? made.qp : null;
        CrossChannel its = other == null || other.isClosed() ? null : other.crossChannel();
        int needed = opcode == WrOpcode.SEND_ENABLE ? QpCreateFlags.MANAGED_SEND : QpCreateFlags.MANAGED_RECV;
        return its != null && its.host == host && (its.flags & needed) != 0 ? its : null;
    }

    @Override
    public boolean enableSends(int count) {
        if (count == 0) {
            allEnabled = true;
        } else {
            enabled.getAndAdd(count);
        }
        return goOnSoon();
    }

    @Override
    public boolean enableReceives(int count) {
        receives.enable(count);
        return !qp.isClosed();
    }

    @Override
    public void wake() {
        goOnSoon();
    }

    private boolean goOnSoon() {
        due = true;
        host.kick(qp);
        return !qp.isClosed();
    }

    /**
     * Returns whether the send queue is to continue; if so, passes what was enabled to it. The caller holds the send
     * lock.
     */
    boolean goesOn(SendQueue sends) {
        if (!due) {
            return false;
        }
        due = false;
        sends.enable(enabled.getAndSet(0));
        if (allEnabled) {
            allEnabled = false;
            sends.enableAll();
        }
        return true;
    }

    /** Forgets what was enabled; the queue is empty. The caller holds the send lock. */
    void reset() {
        due = false;
        allEnabled = false;
        enabled.set(0);
    }
}
