/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/** How many completions of a queue were waited for. The device counts with 24 bits what it has written. */
final class CompletionCount implements CrossCounter {
    /** More than half of what the device counts is taken for what has been. */
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

    /** The queue is about to move, which the device counts as a completion: whoever waits would go on too early. */
    synchronized void moves() {
        if (used) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "resize_cq",
                    "requests have waited for this completion queue (CQE_WAIT), or still do: make it as large as it must be beforehand");
        }
        waited++;
    }

    /** It did not move. */
    synchronized void stays() {
        waited--;
    }
}
