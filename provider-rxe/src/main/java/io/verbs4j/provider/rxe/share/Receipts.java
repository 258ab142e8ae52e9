/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import java.util.BitSet;

/** The sender's side of a ring's receipts: which of them are in use. Thread-safe. */
final class Receipts {
    private final SharedMemory memory;

    /** The number of the last user of each receipt. Guarded by this, as is {@link #used}. */
    private final short[] numbers = new short[RingLayout.RECEIPT_PLACES];

    private final BitSet used = new BitSet();

    /** For the receipts of a ring. */
    Receipts(SharedMemory memory) {
        this.memory = memory;
    }

    /** {@return a receipt for one more queue pair; null if the receiver writes none, or if none is free} */
    Receipt take(RingWriter ring) {
        if ((memory.get(RingLayout.ABILITIES) & RingLayout.WRITES_RECEIPTS) == 0) {
            return null;
        }
        synchronized (this) {
            int free = used.nextClearBit(0);
            if (free >= RingLayout.RECEIPT_PLACES) {
                return null;
            }
            used.set(free);
            return new Receipt(this, ring, free, ++numbers[free]);
        }
    }

    synchronized void giveBack(Receipt receipt) {
        used.clear(receipt.place());
    }

    /** Returns what the receiver has written at a receipt. */
    long word(int reference) {
        return memory.get(RingLayout.receiptOffset(reference));
    }
}
