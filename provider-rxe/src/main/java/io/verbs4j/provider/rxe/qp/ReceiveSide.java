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
import io.verbs4j.provider.rxe.queue.RxeCq;
import io.verbs4j.provider.rxe.queue.RxeSrq;
import io.verbs4j.provider.rxe.queue.TaggedMessage;

/**
 * The receiving side of a queue pair: its own queue, a shared one or, with XRC, none; and the completion queue. Except
 * for {@link #post} and immutable values, used with the queue pair's receive lock held.
 */
final class ReceiveSide {
    private final RxeQp qp;
    private final RxeCq cq;
    private final RecvQueue own;
    private final RxeSrq shared;

    /**
     * The sender, if the device itself sends; otherwise null. Declared here, because a field updater would load its
     * class if it were a field of {@link RxeQp}.
     */
    final Rendezvous rendezvous;

    /** The owner of the completions. */
    private final Object owner;

    private final WorkCompletion wc = new WorkCompletion();
    private final RecvWqe flushed;
    private final RecvWqe datagram;

    /** Creates it; at most one of {@code own} and {@code shared} is not null. */
    ReceiveSide(RxeQp qp, RxeCq cq, RecvQueue own, RxeSrq shared, boolean deviceSends) {
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

    /** {@return whether the queue is shared} */
    boolean isShared() {
        return shared != null;
    }

    /** Returns whether receives complete to this queue. */
    boolean completesTo(RxeCq where) {
        return cq == where;
    }

    /** Implements {@link Inbox#newTaggedMessage()}. */
    TaggedMessage newTaggedMessage() {
        return shared != null && shared.matchesTags() ? new TaggedMessage(shared, rendezvous, qp.qpNum()) : null;
    }

    /** Creates an element as large as any that {@link #take(RecvWqe)} fills. */
    RecvWqe newWqe() {
        return new RecvWqe(shared != null ? shared.mostPieces() : own != null ? own.maxSge() : 0);
    }

    /** {@return the element for receiving datagrams, always the same} */
    RecvWqe datagram() {
        return datagram;
    }

    /** Implements {@link RxeQp#postRecv}; takes the receive lock itself. */
    int post(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        if (qp.isClosed() || shared != null || wr == null || qp.state() == QpState.RESET) {
            return BadWr.tell(wr, badWr, Errno.EINVAL);
        }
        if (own == null) {
            return BadWr.tell(wr, badWr, Errno.EOPNOTSUPP); // this type has no receive queue
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

    /** Takes the next request; returns false if there is none. */
    boolean take(RecvWqe into) {
        return shared != null ? shared.take(into) : own.take(into);
    }

    /** Takes the next request if {@code bytes} fit into it; returns a constant of {@link RecvQueue}. */
    int take(RecvWqe into, long bytes) {
        return shared != null ? shared.take(into, bytes) : own.take(into, bytes);
    }

    /** Implements {@link Inbox#completeReceive}. */
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
        qp.received(status, byteLen); // first: whoever polls the completion may read the counter next
        cq.push(wc, owner, solicited);
    }

    /** Completes the requests in the receive queue with a flush error, except in a shared queue. */
    void flush() {
        while (own != null && own.flush(flushed)) {
            complete(flushed, WcStatus.WR_FLUSH_ERR, WcOpcode.RECV, 0, 0, 0, 0, false);
        }
    }

    /** Discards the requests in the receive queue, except in a shared queue. */
    void clear() {
        if (own != null) {
            own.clear();
        }
    }
}
