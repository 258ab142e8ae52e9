/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * Counts the completions of a queue that requests have waited for. The device counts the completions that it writes
 * with 24 bits.
 */
final class CompletionCount implements CrossCounter {
    /** Half the range of the device's counter: a count this far ahead would look like one in the past. */
    private static final int MOST = 1 << 23;

    private final int number;
    private int waited;
    private boolean used;

    CompletionCount(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public synchronized int value() {
        return waited;
    }

    @Override
    public synchronized boolean advance(int count) {
        if (count < 1 || count >= MOST) {
            return false;
        }
        used = true;
        waited += count;
        return true;
    }

    @Override
    public synchronized void back(int value) {
        waited = value;
    }

    /**
     * Counts the queue's move to other memory, which the device counts as a completion. Fails if requests have waited
     * for the queue, because they would continue too early.
     */
    synchronized void moves() {
        if (used) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "resize_cq",
                    "requests have waited or still wait for this completion queue (CQE_WAIT); create it with its final"
                            + " size");
        }
        waited++;
    }

    /** Undoes {@link #moves}: the queue did not move. */
    synchronized void stays() {
        waited--;
    }
}
