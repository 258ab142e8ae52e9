/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.queue.BadWr;
import io.verbs4j.provider.rxe.queue.SendQueue;
import io.verbs4j.provider.rxe.queue.SendWqe;

/**
 * Posts what builders have gathered: all requests or none. All are checked in the free elements of the send queue
 * before the first is posted. Guarded by the send lock.
 */
final class BuiltSends {
    /** What {@link SendBuilder#flagsAndOpcode} is of an RDMA write of one element, but for whether it is signaled. */
    private static final long PLAIN_WRITE = SendBuilder.SIMPLE | WrOpcode.RDMA_WRITE;

    private static final long SIGNALED = (long) SendFlags.SIGNALED << 32;

    private final RxeQueuePair qp;
    private final SendQueue sq;
    private final SendChecks checks;

    BuiltSends(RxeQueuePair qp, SendQueue sq, SendChecks checks) {
        this.qp = qp;
        this.sq = sq;
        this.checks = checks;
    }

    /** Posts all requests, or with an error none; 0 or an errno. What was queued has yet to be begun. */
    int post(SendBuilder built) {
        int count = built.count();
        int sent = sendNow(built, count);
        int filled = 0;
        int error = 0;
        try {
            while (sent + filled < count && error == 0) {
                error = fill(built, sent + filled, filled);
                filled++;
            }
        } catch (Throwable e) {
            error = BadWr.errno(e);
            filled++; // in part
        }
        for (int i = 0; i < filled && error == 0; i++) {
            sq.post();
        }
        for (int i = 0; i < filled && error != 0 && i < sq.room(); i++) {
            sq.free(i).refused();
        }
        return error;
    }

    /**
     * Carries out the first requests where they need no place in the send queue. Only where none of the builder's
     * requests can be refused: what was carried out cannot be taken back.
     *
     * @return how many
     */
    private int sendNow(SendBuilder built, int count) {
        boolean idle = sq.isEmpty() && qp.state() == QpState.RTS && !sq.isManaged();
        if (!idle || qp.qpType() == QpType.XRC_SEND || !qp.has(QpCreateSendOps.RDMA_WRITE)) {
            return 0;
        }
        for (int i = 0; i < count; i++) {
            if ((built.flagsAndOpcode(i) & ~SIGNALED) != PLAIN_WRITE) {
                return 0;
            }
        }
        if (!qp.hasRoom(count)) {
            return 0;
        }
        long before = sq.posted();
        try {
            qp.path().sendNow(built);
        } catch (Throwable e) {
            // The others are queued: the path meets the cause again, and fails the queue pair if it is still there.
            return (int) (sq.posted() - before);
        }
        return (int) (sq.posted() - before);
    }

    /** Fills the free element after so many others with a request, and checks it; 0 or an errno. */
    private int fill(SendBuilder built, int i, int others) {
        if (!qp.hasRoom(others + 1)) {
            return Errno.ENOMEM;
        }
        SendWqe wqe = sq.free(others);
        int error = wqe.set(built, i);
        if (error == 0) {
            error = checks.checkBuilt(built, i);
        }
        return error == 0 ? checks.check(wqe) : error;
    }
}
