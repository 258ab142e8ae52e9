/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.share.RingWriter;
import io.verbs4j.provider.rxe.wire.PsnMath;

/**
 * Tracks which spans of a requester the peer has missed. A span that was taken back for another reason is missed once;
 * one that is missed twice can't be delivered that way and is sent as packets. Guarded by the send lock.
 */
final class LostSpans {
    /** The ring of the last outstanding span; null if there was none since packets were last repeated. */
    private RingWriter ring;

    /** PSN of the first outstanding span. */
    private int from;

    /** Whether a span was missed, and its PSN. */
    private boolean missed;

    private int missedAt;

    /** Whether to send packets, and the PSN of the last one. */
    private boolean packets;

    private int packetsUntil;

    /** Returns whether data that begins at a PSN may be lent. */
    boolean allows(int psn) {
        if (packets && PsnMath.diff(psn, packetsUntil) > 0) {
            packets = false;
        }
        return !packets;
    }

    /** Notes that a span was sent. */
    void lent(RingWriter by, int psn) {
        if (ring == null) {
            from = psn;
        }
        ring = by;
    }

    /** Notes that everything before a PSN has arrived. */
    void arrivedBefore(int psn) {
        if (missed && PsnMath.diff(psn, missedAt) > 0) {
            missed = false;
        }
        if (ring != null && PsnMath.diff(psn, from) > 0) {
            ring.trust();
        }
    }

    /**
     * Notes that the peer misses what begins at a PSN.
     *
     * @param last PSN of the last packet of its message
     * @return whether to repeat it as packets instead
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

    /** Notes that everything outstanding is sent again. */
    void repeats() {
        ring = null;
    }

    /** Forgets everything; nothing is outstanding. */
    void clear() {
        ring = null;
        missed = false;
        packets = false;
    }
}
