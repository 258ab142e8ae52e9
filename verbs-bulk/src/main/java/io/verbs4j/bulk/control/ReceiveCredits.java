/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

/**
 * The credits that a peer has and those that it knows of. Credits are sent in a message of their own once a quarter of
 * the slots is owed. With a threshold of one slot, two sides would answer each other's messages forever.
 */
public final class ReceiveCredits {
    private final int slots;
    private int posted;
    private int told;
    private int eagerTaken;
    private int eagerTold;

    public ReceiveCredits(int slots) {
        this.slots = slots;
        posted = slots;
        told = slots;
    }

    /** Counts a slot that was posted again. */
    public void posted() {
        posted++;
    }

    /** Counts an EAGER message that has left its slot. */
    public void eagerTaken() {
        eagerTaken++;
    }

    /**
     * Whether slots must be reported in a message of their own, which may use a reserved slot. If EAGER messages hold
     * half of the slots, the others without the reserved ones are at least a quarter.
     */
    public boolean owesSlots() {
        return posted - told >= slots / 4;
    }

    /** Whether taken EAGER messages should be reported. */
    public boolean owesEager() {
        return eagerTaken - eagerTold >= slots / 8;
    }

    /** Whether a peer that has sent {@code total} messages has exceeded the credits it knows of. */
    public boolean areExceededBy(int total) {
        return total - told > 0;
    }

    /** Returns the total of slots for a message that is about to be sent. */
    public int tellPosted() {
        told = posted;
        return posted;
    }

    /** Returns the total of taken EAGER messages for a message that is about to be sent. */
    public int tellEagerTaken() {
        eagerTold = eagerTaken;
        return eagerTaken;
    }
}
