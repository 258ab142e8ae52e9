/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;

/**
 * What a work request has beyond others that waits for a completion queue, or lets another queue pair begin. Guarded by the send lock of
 * its queue pair.
 */
public final class CrossRequest {
    /** What {@link #execute} answers, beyond statuses, where it is not its turn yet. */
    public static final int WAITS = -10;

    /** A queue pair that another lets begin. */
    public interface Managed {
        /** Lets it begin so many more work requests, or with 0 all that are posted; false where it is gone. Takes no lock of a queue pair. */
        boolean enableSends(int count);

        /** The same of receives. */
        boolean enableReceives(int count);
    }

    private CompletionQueue cq;
    private QueuePair qp;
    private int count;
    private Managed managed;
    private RxeCompletionQueue awaited;
    private CompletionWaits.Waiter waiter;
    private long target;

    CrossRequest() {}

    /** Whether an opcode is of such a request. */
    public static boolean isOne(int opcode) {
        return opcode >= WrOpcode.CQE_WAIT && opcode <= WrOpcode.RECV_ENABLE;
    }

    /** Takes it over, each field once: it is this copy that is checked. */
    void set(SendWorkRequest wr) {
        cq = wr.waitCq();
        qp = wr.enableQp();
        count = wr.waitCount();
    }

    /** Whom it lets begin, as the program has it. */
    public QueuePair qp() {
        return qp;
    }

    /** Checks a wait; 0 or an errno. */
    public int checkWait(CqHost host) {
        return count < 1 || !(cq instanceof CqHandle handle) || !handle.cq.isOn(host) ? Errno.EINVAL : 0;
    }

    /** It is posted: a wait counts from here on. */
    void posted(int opcode) {
        if (opcode == WrOpcode.CQE_WAIT) {
            RxeCompletionQueue queue = ((CqHandle) cq).cq;
            target = queue.postWait(count);
            awaited = target < 0 ? null : queue;
        }
    }

    /** Checks a request that lets a queue pair begin; 0 or an errno. */
    public int checkEnable(Managed whom) {
        managed = whom;
        return count < 0 || whom == null ? Errno.EINVAL : 0;
    }

    /** Carries it out; answers a status, or {@link #WAITS}: then the waiter is told when to try again. */
    public int execute(int opcode, CompletionWaits.Waiter who) {
        if (opcode == WrOpcode.CQE_WAIT) {
            if (awaited == null) {
                return WcStatus.LOC_QP_OP_ERR; // the queue was closed between check and post
            }
            waiter = who;
            return awaited.await(target, who);
        }
        boolean there = opcode == WrOpcode.SEND_ENABLE ? managed.enableSends(count) : managed.enableReceives(count);
        return there ? WcStatus.SUCCESS : WcStatus.LOC_QP_OP_ERR;
    }

    /** It is over, or was refused. */
    void end() {
        if (awaited != null) {
            awaited.endWait(waiter);
        }
        awaited = null;
        waiter = null;
        managed = null;
        cq = null;
        qp = null;
    }
}
