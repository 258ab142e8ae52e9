/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The batches of a link, lent to senders. A batch takes over a hundred kilobytes of direct memory, and of thousands of
 * queue pairs only a few have packets to send at the same time. Thread-safe.
 */
public final class BatchPool {
    /** Maximum number of batches kept. Once this many are lent, no sender should keep one to wait for more packets. */
    private static final int PLENTY = 64;

    private final Supplier<TxBatch> make;
    private final TxBatch[] free = new TxBatch[PLENTY];
    private int count;

    private final AtomicInteger lent = new AtomicInteger();

    BatchPool(Supplier<TxBatch> make) {
        this.make = make;
    }

    /** Creates batches until the given number exists, so that memory runs out here, where the caller can report it. */
    public synchronized void reserve(int number) {
        while (count + lent.get() < number) {
            free[count] = make.get();
            count++;
        }
    }

    /**
     * Lends an empty batch, which belongs to the caller until it is given back. Prefers the batch given back last,
     * which is likely still in a cache.
     */
    public TxBatch take() {
        TxBatch batch = null;
        synchronized (this) {
            if (count > 0) {
                batch = free[--count];
            }
        }
        if (batch == null) {
            batch = make.get(); // outside the lock, because this may take long, and fail
        }
        lent.getAndIncrement();
        return batch;
    }

    /** Takes back a flushed batch. */
    public synchronized void give(TxBatch batch) {
        lent.getAndDecrement();
        if (count < PLENTY) {
            free[count++] = batch;
        }
    }

    /**
     * Returns whether so many batches are lent that packets should be sent immediately instead of waiting for others.
     */
    public boolean isScarce() {
        return lent.get() >= PLENTY;
    }

    /** {@return the number of batches lent} */
    public int lent() {
        return lent.get();
    }
}
