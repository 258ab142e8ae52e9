/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

/** How many messages in a row, over all queue pairs of a ring, have missed spans. Inexact when several count. */
final class MissedSpans {
    /** Number of messages after which the ring ends. */
    private static final int MOST = 4;

    private volatile int inRow;

    /** Counts a message; returns whether the ring must end. */
    boolean areTooMany() {
        int now = inRow + 1;
        inRow = now;
        return now >= MOST;
    }

    /** Notes that the receiver got a span. */
    void end() {
        if (inRow != 0) {
            inRow = 0;
        }
    }
}
