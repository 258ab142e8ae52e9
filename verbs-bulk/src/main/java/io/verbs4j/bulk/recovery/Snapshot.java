/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.recovery;

import java.util.BitSet;

/** State of a side when the queue pair of its lost connection is closed and nothing more can arrive. */
public final class Snapshot {
    private final int delivered;
    private final BitSet free;

    /**
     * Creates a snapshot of a connection.
     *
     * @param delivered messages and immediate values received in total
     * @param free slots that can take the next message; not changed afterwards
     */
    public Snapshot(int delivered, BitSet free) {
        this.delivered = delivered;
        this.free = free;
    }

    /** Messages and immediate values received in total. */
    public int delivered() {
        return delivered;
    }

    /** Whether a slot can take the next message. */
    public boolean isFree(int slot) {
        return free.get(slot);
    }
}
