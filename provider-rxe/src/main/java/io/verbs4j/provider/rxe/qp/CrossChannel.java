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
import io.verbs4j.provider.rxe.queue.CqHandle;
import io.verbs4j.provider.rxe.queue.CqHost;
import io.verbs4j.provider.rxe.queue.CrossRequest;
import io.verbs4j.provider.rxe.queue.RecvQueue;
import io.verbs4j.provider.rxe.queue.SendQueue;
import io.verbs4j.provider.rxe.queue.SendWqe;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a queue pair has of cross channel: it waits for completion queues, lets others begin, or is let begin by others. Whoever does so
 * holds a lock of its own and takes none of this one: the port's worker thread does the rest.
 *
 * <p>Source: CoreDirect of MLNX_OFED.
 */
final class CrossChannel implements CompletionWaits.Waiter, CrossRequest.Managed {
    private static final int ANY =
            QpCreateFlags.CROSS_CHANNEL | QpCreateFlags.MANAGED_SEND | QpCreateFlags.MANAGED_RECV;

    private final RxeQueuePair qp;
    private final QpHost host;
    private final int flags;
    private final RecvQueue receives;

    /** Work requests that may begin besides those that may already. */
    private final AtomicLong enabled = new AtomicLong();

    /** Whether all that are posted may. */
    private volatile boolean allEnabled;

    /** Whether the worker thread is to go on with the send queue. */
    private volatile boolean due;

    private CrossChannel(RxeQueuePair qp, QpHost host, int flags, RecvQueue receives) {
        this.qp = qp;
        this.host = host;
        this.flags = flags;
        this.receives = receives;
    }

    /** That of a queue pair; null where it has none. */
    static CrossChannel of(RxeQueuePair qp, QpHost host, QpInitAttrEx attr, SendQueue sends, RecvQueue receives) {
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

    /** The flags that a queue pair is made with, {@link QpCreateFlags} bits. */
    static int createFlags(QpInitAttrEx attr) {
        long given = attr.compMask() & (QpInitAttrMask.CREATE_FLAGS | QpInitAttrMask.CREATE_HINTS);
        return given != 0 ? attr.createFlags() : 0;
    }

    /** Which of {@link QpCreateSendOps} an opcode of cross channel is. */
    static long operation(int opcode) {
        return QpCreateSendOps.CQE_WAIT << opcode - WrOpcode.CQE_WAIT;
    }

    /** Whether it may wait, and let others begin. */
    boolean mayPost() {
        return (flags & QpCreateFlags.CROSS_CHANNEL) != 0;
    }

    /** Whether what a request names is there, and of this device. */
    boolean hasWhatItNames(SendWorkRequest wr) {
        return wr.opcode() == WrOpcode.CQE_WAIT
                ? wr.waitCq() instanceof CqHandle handle && host instanceof CqHost queues && handle.cq.isOn(queues)
                : managed(wr.enableQp(), wr.opcode()) != null;
    }

    /** Checks a request of cross channel; 0 or an errno. */
    int check(SendWqe wqe) {
        if (!wqe.data.isEmpty()) {
            return Errno.EINVAL;
        }
        if (wqe.opcode == WrOpcode.CQE_WAIT) {
            return host instanceof CqHost queues ? wqe.cross.checkWait(queues) : Errno.EOPNOTSUPP;
        }
        return wqe.cross.checkEnable(managed(wqe.cross.qp(), wqe.opcode));
    }

    /** Carries a request out; answers a status, or {@link CrossRequest#WAITS}. The send lock is held. */
    int execute(SendWqe wqe) {
        int status = wqe.cross.execute(wqe.opcode, this);
        wqe.executed = status == WcStatus.SUCCESS;
        return status;
    }

    /** What lets a queue pair of this device begin; null where it is not managed. */
    private CrossChannel managed(Object handle, int opcode) {
        RxeQueuePair other = handle instanceof QpHandle made ? made.qp : null;
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

    /** Whether the send queue is to go on, which has what it was let begin then. The send lock is held. */
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

    /** Forgets what it was let begin; the queue is empty. The send lock is held. */
    void reset() {
        due = false;
        allEnabled = false;
        enabled.set(0);
    }
}
