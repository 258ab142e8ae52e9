/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The batches of a link, lent to whoever has packets to send: a batch takes over a hundred kilobytes of direct memory, and
 * of thousands of queue pairs few have packets at the same time. For any thread.
 */
public final class BatchPool {
    /** So many are kept; from so many lent on, nobody should keep one to wait for more packets. */
    private static final int PLENTY = 64;

    private final Supplier<TxBatch> make;
    private final TxBatch[] free = new TxBatch[PLENTY];
    private int count;

    private final AtomicInteger lent = new AtomicInteger();

    BatchPool(Supplier<TxBatch> make) {
        this.make = make;
    }

    /** Makes batches until there are so many, so that memory runs out where a caller can be told. */
    public synchronized void reserve(int number) {
        while (count + lent.get() < number) {
            free[count] = make.get();
            count++;
        }
    }

    /** An empty batch, the caller's until it is given back. The one given back last, as a cache holds that. */
    public TxBatch take() {
        TxBatch batch = null;
        synchronized (this) {
            if (count > 0) {
                batch = free[--count];
            }
        }
        if (batch == null) {
            batch = make.get(); // without the lock: it may take long, and fail
        }
        lent.getAndIncrement();
        return batch;
    }

    /** Takes back a batch that was flushed. */
    public synchronized void give(TxBatch batch) {
        lent.getAndDecrement();
        if (count < PLENTY) {
            free[count++] = batch;
        }
    }

    /** Whether so many are lent that packets should leave at once rather than wait for others. */
    public boolean isScarce() {
        return lent.get() >= PLENTY;
    }

    /** How many are lent. */
    public int lent() {
        return lent.get();
    }
}
