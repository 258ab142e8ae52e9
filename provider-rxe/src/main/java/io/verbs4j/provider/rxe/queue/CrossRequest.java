/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;

/**
 * The part of a work request that is specific to cross channel: waiting for a completion queue, or enabling another
 * queue pair. Guarded by the send lock of its queue pair.
 */
public final class CrossRequest {
    /** Returned by {@link #execute} instead of a status while the request must wait. */
    public static final int WAITS = -10;

    /** A queue pair that another one enables. */
    public interface Managed {
        /**
         * Enables {@code count} more send requests, or with 0 all posted ones; returns false if the queue pair is
         * closed. Takes no lock of a queue pair.
         */
        boolean enableSends(int count);

        /**
         * Enables {@code count} more receives, or with 0 all posted ones; returns false if the queue pair is closed.
         */
        boolean enableReceives(int count);
    }

    private CompletionQueue cq;
    private QueuePair qp;
    private int count;
    private Managed managed;
    private RxeCq awaited;
    private CompletionWaits.Waiter waiter;
    private long target;

    CrossRequest() {}

    /** Returns whether an opcode is that of a cross-channel request. */
    public static boolean isOne(int opcode) {
        return opcode >= WrOpcode.CQE_WAIT && opcode <= WrOpcode.RECV_ENABLE;
    }

    /** Copies the request's fields, reading each once: the copy is what is checked. */
    void set(SendWorkRequest wr) {
        cq = wr.waitCq();
        qp = wr.enableQp();
        count = wr.waitCount();
    }

    /** {@return the program's handle of the queue pair to enable} */
    public QueuePair qp() {
        return qp;
    }

    /** Checks a wait; returns 0 or an errno. */
    public int checkWait(CqHost host) {
        return count < 1 || !(cq instanceof RxeCompletionQueue handle) || !handle.cq.isOn(host) ? Errno.EINVAL : 0;
    }

    /** Notes that the request is posted: a wait counts from here on. */
    void posted(int opcode) {
        if (opcode == WrOpcode.CQE_WAIT) {
            RxeCq queue = ((RxeCompletionQueue) cq).cq;
            target = queue.postWait(count);
            awaited = target < 0 ? null : queue;
        }
    }

    /** Checks a request that enables a queue pair; returns 0 or an errno. */
    public int checkEnable(Managed whom) {
        managed = whom;
        return count < 0 || whom == null ? Errno.EINVAL : 0;
    }

    /**
     * Carries out the request; returns a status, or {@link #WAITS}, in which case the waiter is woken when it should
     * try again.
     */
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

    /** Ends the request, or discards one that was refused. */
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
