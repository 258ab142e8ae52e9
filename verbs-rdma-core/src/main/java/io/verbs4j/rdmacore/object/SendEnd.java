/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import java.util.concurrent.TimeUnit;

/**
 * Looks whether the send queue of a queue pair has run dry, whoever polls its completion queue. One thread at a time.
 */
public final class SendEnd {
    /** What {@link #unfinished} answers where some requests are under way, and it is not known how many. */
    public static final int SOME = Integer.MAX_VALUE;

    /** What {@link #unfinished} answers where nothing is known. */
    public static final int UNKNOWN = -1;

    /** Time that a device has to flush what is left once the queue pair is in ERR. iWARP's flushes nothing. */
    private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final IbvQp qp;
    private boolean begun;
    private boolean marked;
    private boolean over;
    private boolean failed;
    private long end;
    private long errorSince;

    SendEnd(IbvQp qp) {
        this.qp = qp;
    }

    /**
     * Counts what is posted from now on, so that {@link #unfinished} knows more. To be called before anything is
     * posted.
     */
    public void watch() {
        qp.watchSends();
    }

    /**
     * Looks, and where that is needed posts a {@link SendMarkers marker} first.
     *
     * @param handle of the queue pair, type RC
     * @return 0 where all that was posted is acknowledged or has failed; {@link #SOME}; {@link #UNKNOWN} where
     *     completions can't be read here
     */
    public synchronized int unfinished(QueuePair handle) {
        if (over || !begun && (qp.state() != QpState.RTS || qp.isSendQueueEmpty())) {
            return 0;
        }
        IbvCq cq = IbvCq.of(qp.sendCq());
        if (qp.qpType() != QpType.RC || cq == null || !cq.isReadable()) {
            return UNKNOWN;
        }
        if (!begun) {
            begun = true;
            end = qp.tally.end();
        }
        if (cq.markers.claim(qp.qpNum())) {
            cq.lookForMarker(qp.qpNum());
            if (!marked && qp.isSendQueueEmpty()) {
                return end(false);
            }
            if (!marked && !cq.markers.isOver()) {
                marked = handle.postSend(SendMarkers.request(), null) == 0; // else there is no room yet
            }
            if (cq.markers.isOver()) {
                return end(!cq.markers.isDry() && qp.mayHaveLost(true, end));
            }
        }
        if (qp.state() == QpState.ERR) {
            long now = System.nanoTime();
            errorSince = errorSince == 0 ? now : errorSince;
            if (now - errorSince > FLUSH_NANOS) {
                return end(qp.mayHaveLost(false, end));
            }
        }
        return SOME;
    }

    private int end(boolean withFailure) {
        over = true;
        failed = withFailure;
        return 0;
    }

    /** {@return whether requests have failed, or were flushed, since {@link #unfinished} was first asked} */
    public synchronized boolean hasFailed() {
        return failed;
    }
}
