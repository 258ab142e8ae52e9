/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.Errno;
import io.verbs4j.QpState;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.rxe.queue.BadWr;
import io.verbs4j.provider.rxe.queue.RecvQueue;
import io.verbs4j.provider.rxe.queue.RecvWqe;
import io.verbs4j.provider.rxe.queue.Rendezvous;
import io.verbs4j.provider.rxe.queue.RxeCompletionQueue;
import io.verbs4j.provider.rxe.queue.RxeSharedReceiveQueue;
import io.verbs4j.provider.rxe.queue.TaggedMessage;

/**
 * What a queue pair receives with: a queue of its own, a shared one or, with XRC, none, and where that completes. But for {@link #post}
 * and what never changes, used with the queue pair's receive lock held.
 */
final class ReceiveSide {
    private final RxeQueuePair qp;
    private final RxeCompletionQueue cq;
    private final RecvQueue own;
    private final RxeSharedReceiveQueue shared;

    /** What sends, where that is the device itself; else null. Here, where no field updater has its class loaded. */
    final Rendezvous rendezvous;

    /** Whose completions they are. */
    private final Object owner;

    private final WorkCompletion wc = new WorkCompletion();
    private final RecvWqe flushed;
    private final RecvWqe datagram;

    /** At most one of the two queues is not null. */
    ReceiveSide(
            RxeQueuePair qp, RxeCompletionQueue cq, RecvQueue own, RxeSharedReceiveQueue shared, boolean deviceSends) {
        this.qp = qp;
        boolean tags = shared != null && shared.matchesTags();
        this.cq = tags ? shared.cq() : cq;
        this.owner = tags ? shared : qp;
        this.rendezvous = deviceSends ? new Rendezvous(shared, qp.sendQueue(), qp.qpNum()) : null;
        this.own = own;
        this.shared = shared;
        this.flushed = newWqe();
        this.datagram = newWqe();
    }

    /** Whether the queue is shared. */
    boolean isShared() {
        return shared != null;
    }

    /** Whether receives complete there. */
    boolean completesTo(RxeCompletionQueue where) {
        return cq == where;
    }

    /** As {@link Inbox#newTaggedMessage()}. */
    TaggedMessage newTaggedMessage() {
        return shared != null && shared.matchesTags() ? new TaggedMessage(shared, rendezvous, qp.qpNum()) : null;
    }

    /** A new element, as large as any that {@link #take(RecvWqe)} fills in. */
    RecvWqe newWqe() {
        return new RecvWqe(shared != null ? shared.mostPieces() : own != null ? own.maxSge() : 0);
    }

    /** An element to receive datagrams with, always the same. */
    RecvWqe datagram() {
        return datagram;
    }

    /** As {@link RxeQueuePair#postRecv}; takes the receive lock by itself. */
    int post(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        if (qp.isClosed() || shared != null || wr == null || qp.state() == QpState.RESET) {
            return BadWr.tell(wr, badWr, Errno.EINVAL);
        }
        if (own == null) {
            return BadWr.tell(wr, badWr, Errno.EOPNOTSUPP); // of this type none has one
        }
        int error;
        try {
            error = own.post(wr, badWr);
            if (qp.state() == QpState.ERR) {
                synchronized (qp.recvLock) {
                    flush();
                }
            }
        } catch (Throwable e) {
            error = BadWr.errno(e);
        }
        return error;
    }

    /** Takes the next request; false where there is none. */
    boolean take(RecvWqe into) {
        return shared != null ? shared.take(into) : own.take(into);
    }

    /** Takes the next request where so many bytes fit into it; answers a constant of {@link RecvQueue}. */
    int take(RecvWqe into, long bytes) {
        return shared != null ? shared.take(into, bytes) : own.take(into, bytes);
    }

    /** As {@link Inbox#completeReceive}. */
    void complete(
            RecvWqe wqe, int status, int opcode, int byteLen, int wcFlags, int immData, int srcQp, boolean solicited) {
        wc.wrId(wqe.wrId)
                .status(status)
                .opcode(opcode)
                .byteLen(byteLen)
                .immData(immData)
                .qpNum(qp.qpNum())
                .srcQp(srcQp)
                .wcFlags(wcFlags);
        qp.received(status, byteLen); // first: who polls the completion may read the counter next
        cq.push(wc, owner, solicited);
    }

    /** Completes with a flush error what is in the receive queue, but not a shared one. */
    void flush() {
        while (own != null && own.flush(flushed)) {
            complete(flushed, WcStatus.WR_FLUSH_ERR, WcOpcode.RECV, 0, 0, 0, 0, false);
        }
    }

    /** Forgets what is in the receive queue, but not a shared one. */
    void clear() {
        if (own != null) {
            own.clear();
        }
    }
}
