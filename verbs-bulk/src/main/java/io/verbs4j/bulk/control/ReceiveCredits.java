/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

/**
 * What a peer may send, and has been told. A message that tells it is sent when a quarter of the slots is owed: if it
 * were one, two sides would answer each other's messages for ever.
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

    /** A slot was posted again. */
    public void posted() {
        posted++;
    }

    /** An EAGER message has left its slot. */
    public void eagerTaken() {
        eagerTaken++;
    }

    /**
     * Whether the peer has to be told of slots by a message of its own, which may use a slot that is kept back. A
     * quarter: where half of the slots hold EAGER messages, the others without the ones kept back are at least that.
     */
    public boolean owesSlots() {
        return posted - told >= slots / 4;
    }

    /** Whether the peer should be told of EAGER messages that were taken. */
    public boolean owesEager() {
        return eagerTaken - eagerTold >= slots / 8;
    }

    /** Whether a peer that has sent so many in total has sent more than it was told that it may. */
    public boolean areExceededBy(int total) {
        return total - told > 0;
    }

    /** What a message is about to tell. */
    public int tellPosted() {
        told = posted;
        return posted;
    }

    /** What a message is about to tell. */
    public int tellEagerTaken() {
        eagerTold = eagerTaken;
        return eagerTaken;
    }
}
