/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

/**
 * What may be sent to a peer: a message needs a slot of the peer's. The last slots are kept back for messages that give
 * credits, so that two sides that wait for each other's credits go on. Totals wrap.
 */
public final class SendCredits {
    /** Slots that only urgent messages may use. */
    public static final int RESERVED = 2;

    private int granted;
    private int sent;
    private int eagerLimit;
    private int eagerSent;

    /** The peer has posted so many slots before the first message. */
    public void start(int slots) {
        granted = slots;
        eagerLimit = eagerSlots(slots);
    }

    /** Slots that may hold messages which the peer's program has not asked for yet. */
    public static int eagerSlots(int slots) {
        return slots / 2;
    }

    /** The peer has told its totals. */
    public void told(int totalGranted, int totalEagerTaken, int slots) {
        if (totalGranted - granted > 0) {
            granted = totalGranted;
        }
        int limit = totalEagerTaken + eagerSlots(slots);
        if (limit - eagerLimit > 0) {
            eagerLimit = limit;
        }
    }

    /** Whether a message may be sent now. */
    public boolean may() {
        return granted - sent > RESERVED;
    }

    /** Whether a message that gives credits, or the last one, may be sent now. */
    public boolean mayUrgently() {
        return granted - sent > 0;
    }

    /** Messages that may be sent, with those that slots are kept back for. */
    public int left() {
        return granted - sent;
    }

    /** Whether a message with bytes of the program's may be sent now, as far as this limit says. */
    public boolean mayEager() {
        return eagerLimit - eagerSent > 0;
    }

    /** A message was sent, or a write that takes a slot. */
    public void sent() {
        sent++;
    }

    /** Messages and writes with a value that were sent in total. */
    public int total() {
        return sent;
    }

    /** What was counted as sent has not come to the peer, and is sent again. */
    public void unsent(boolean eager) {
        sent--;
        if (eager) {
            eagerSent--;
        }
    }

    /** It was one with bytes of the program's. */
    public void sentEager() {
        eagerSent++;
    }
}
