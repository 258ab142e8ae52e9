/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.provider.rxe.memory.Lender;

/**
 * The part of a ring that memory keys refer to. They keep it until they next lend something, which may be never. The
 * ring and its mapping can be freed once all spans are taken back.
 */
final class Loan implements Lender {
    /** Null once the ring is closed and all spans are taken back. */
    private volatile RingWriter ring;

    Loan(RingWriter ring) {
        this.ring = ring;
    }

    @Override
    public void recall(long until) {
        RingWriter open = ring;
        if (open != null) {
            open.recall(until);
        }
    }

    @Override
    public boolean isClosed() {
        return ring == null;
    }

    /** Notes that the ring is closed and all spans are taken back. */
    void end() {
        ring = null;
    }
}
