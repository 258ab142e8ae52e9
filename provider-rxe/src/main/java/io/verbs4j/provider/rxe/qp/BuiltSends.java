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
 * Posts the requests of a builder: all or none. All are checked in the free elements of the send queue before the first
 * is posted. Guarded by the send lock.
 */
final class BuiltSends {
    /** {@link SendBuilder#flagsAndOpcode} of an unsignaled RDMA write of one element. */
    private static final long PLAIN_WRITE = SendBuilder.SIMPLE | WrOpcode.RDMA_WRITE;

    private static final long SIGNALED = (long) SendFlags.SIGNALED << 32;

    private final QpSending qp;
    private final SendQueue sq;
    private final SendChecks checks;

    BuiltSends(QpSending qp, SendQueue sq, SendChecks checks) {
        this.qp = qp;
        this.sq = sq;
        this.checks = checks;
    }

    /**
     * Posts all requests, or none if one is invalid; returns 0 or an errno. The caller must start whatever was queued.
     */
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
            filled++; // partly
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
     * Carries out the first requests that need no place in the send queue. Does so only if none of the builder's
     * requests can be refused, because what was carried out can't be undone.
     *
     * @return the number of requests carried out
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
            // The rest is queued: the path meets the cause again, and fails the queue pair if it persists.
            return (int) (sq.posted() - before);
        }
        return (int) (sq.posted() - before);
    }

    /**
     * Fills a free element with a request and checks it; {@code others} elements before it are filled already. Returns
     * 0 or an errno.
     */
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
