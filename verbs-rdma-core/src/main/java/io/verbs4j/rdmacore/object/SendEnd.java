/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import java.util.concurrent.TimeUnit;

/**
 * Checks whether the send queue of a queue pair has drained, whichever thread polls its completion queue. Used by one
 * thread at a time.
 */
public final class SendEnd {
    /** Result of {@link #unfinished} if an unknown number of requests is outstanding. */
    public static final int SOME = Integer.MAX_VALUE;

    /** Result of {@link #unfinished} if nothing is known. */
    public static final int UNKNOWN = -1;

    /** Time for a device to flush the remaining requests once the queue pair is in ERR. iWARP devices flush nothing. */
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

    /** Counts requests from now on, so that {@link #unfinished} knows more. Call it before anything is posted. */
    public void watch() {
        qp.watchSends();
    }

    /**
     * Checks the queue, and first posts a {@link SendMarkers marker} if needed.
     *
     * @param handle of the queue pair, type RC
     * @return 0 if all posted requests are acknowledged or have failed; {@link #SOME}; {@link #UNKNOWN} if completions
     *     cannot be read here
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
                marked = handle.postSend(SendMarkers.request(), null) == 0; // otherwise there is no room yet
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

    /** {@return whether requests failed or were flushed, as found by {@link #unfinished}} */
    public synchronized boolean hasFailed() {
        return failed;
    }
}
