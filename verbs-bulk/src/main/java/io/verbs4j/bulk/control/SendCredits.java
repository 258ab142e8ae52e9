/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

/**
 * The credits for messages to a peer: each needs one of the peer's slots. The last slots are reserved for messages that
 * grant credits, so that two sides that wait for each other's credits make progress. Totals wrap.
 */
public final class SendCredits {
    /** Number of slots that only urgent messages may use. */
    public static final int RESERVED = 2;

    private int granted;
    private int sent;
    private int eagerLimit;
    private int eagerSent;

    /** Sets the number of slots that the peer has posted before the first message. */
    public void start(int slots) {
        granted = slots;
        eagerLimit = eagerSlots(slots);
    }

    /** Number of slots for messages that the peer's program has not requested yet. */
    public static int eagerSlots(int slots) {
        return slots / 2;
    }

    /** Updates the totals that the peer has sent. */
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

    /** Whether a message that grants credits, or the last message, may be sent now. */
    public boolean mayUrgently() {
        return granted - sent > 0;
    }

    /** Number of messages that may be sent, including those that use reserved slots. */
    public int left() {
        return granted - sent;
    }

    /** Whether the EAGER limit allows a message with bytes of the program now. */
    public boolean mayEager() {
        return eagerLimit - eagerSent > 0;
    }

    /** Counts a message, or a write that uses a slot. */
    public void sent() {
        sent++;
    }

    /** Total of messages and writes with a value that were sent. */
    public int total() {
        return sent;
    }

    /** Takes back the count of a message that has not reached the peer and is sent again. */
    public void unsent(boolean eager) {
        sent--;
        if (eager) {
            eagerSent--;
        }
    }

    /** Counts the message as one with bytes of the program. */
    public void sentEager() {
        eagerSent++;
    }
}
