/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.recovery;

import java.util.BitSet;

/** What a side knows of a lost connection when its queue pair is closed: nothing comes by it any more. */
public final class Snapshot {
    private final int delivered;
    private final BitSet free;

    /**
     * Of a connection.
     *
     * @param delivered messages and immediate values that have come in total
     * @param free slots that have room for the next message; it stays as it is
     */
    public Snapshot(int delivered, BitSet free) {
        this.delivered = delivered;
        this.free = free;
    }

    /** Messages and immediate values that have come in total. */
    public int delivered() {
        return delivered;
    }

    /** Whether a slot has room for the next message. */
    public boolean isFree(int slot) {
        return free.get(slot);
    }
}
