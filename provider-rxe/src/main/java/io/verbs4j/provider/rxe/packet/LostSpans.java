/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.share.RingWriter;
import io.verbs4j.provider.rxe.wire.PsnMath;

/**
 * Which spans of a requester the peer has missed. One that was taken back for another reason is missed once; what is
 * missed twice is not to be had that
 * way, and goes as packets. Guarded by the send lock.
 */
final class LostSpans {
    /** Where the last span went that is under way; null where none is since packets were repeated last. */
    private RingWriter ring;

    /** PSN of the first of them. */
    private int from;

    /** Whether a span was missed, and the PSN of it. */
    private boolean missed;

    private int missedAt;

    /** Whether there are to be packets, and the PSN of the last one. */
    private boolean packets;

    private int packetsUntil;

    /** Whether what begins with a PSN may be lent. */
    boolean allows(int psn) {
        if (packets && PsnMath.diff(psn, packetsUntil) > 0) {
            packets = false;
        }
        return !packets;
    }

    /** A span is on its way. */
    void lent(RingWriter by, int psn) {
        if (ring == null) {
            from = psn;
        }
        ring = by;
    }

    /** All before a PSN has come there. */
    void arrivedBefore(int psn) {
        if (missed && PsnMath.diff(psn, missedAt) > 0) {
            missed = false;
        }
        if (ring != null && PsnMath.diff(psn, from) > 0) {
            ring.trust();
        }
    }

    /**
     * The peer misses what begins with a PSN.
     *
     * @param last PSN of the last packet of its message
     * @return whether it is to be sent again otherwise than before
     */
    boolean missed(int psn, int last) {
        if (ring == null || packets || PsnMath.diff(psn, from) < 0) {
            return false; // it was a packet
        }
        if (!missed || missedAt != psn) {
            missed = true;
            missedAt = psn;
            return false;
        }
        missed = false;
        packets = true;
        packetsUntil = last;
        ring.distrust();
        return true;
    }

    /** What is under way is sent again. */
    void repeats() {
        ring = null;
    }

    /** Nothing is under way. */
    void clear() {
        ring = null;
        missed = false;
        packets = false;
    }
}
