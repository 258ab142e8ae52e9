/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;

/** Looks whether the send queue of a queue pair has run dry, whoever polls its completion queue. One thread at a time. */
public final class SendEnd {
    /** What {@link #unfinished} answers where some requests are under way, and it is not known how many. */
    public static final int SOME = Integer.MAX_VALUE;

    /** What {@link #unfinished} answers where nothing is known. */
    public static final int UNKNOWN = -1;

    private final IbvQp qp;
    private boolean begun;
    private boolean marked;
    private boolean failed;

    SendEnd(IbvQp qp) {
        this.qp = qp;
    }

    /**
     * Looks, and where that is needed posts a {@link SendMarkers marker} first.
     *
     * @param handle of the queue pair, type RC
     * @return 0 where all that was posted is acknowledged or has failed; {@link #SOME}; {@link #UNKNOWN} where
     *     completions can't be read here
     */
    public synchronized int unfinished(QueuePair handle) {
        if (!begun && (qp.state() != QpState.RTS || qp.isSendQueueEmpty())) {
            return 0;
        }
        IbvCq cq = handle.sendCq() instanceof NativeCompletionQueue known ? known.ibv : null;
        if (qp.qpType() != QpType.RC || cq == null || !cq.isReadable()) {
            return UNKNOWN;
        }
        begun = true;
        if (failed) {
            return 0;
        }
        if (cq.markers.claim(qp.qpNum())) {
            cq.lookForMarker(qp.qpNum());
            if (!marked && !cq.markers.isOver()) {
                marked = handle.postSend(SendMarkers.request(), null) == 0; // else there is no room yet
            }
            if (cq.markers.isOver()) {
                failed = !cq.markers.isDry();
                return 0;
            }
        }
        failed = !marked && qp.state() == QpState.ERR;
        return failed ? 0 : SOME;
    }

    /** {@return whether requests have failed, or were flushed, since {@link #unfinished} was first asked} */
    public synchronized boolean hasFailed() {
        return failed;
    }
}
