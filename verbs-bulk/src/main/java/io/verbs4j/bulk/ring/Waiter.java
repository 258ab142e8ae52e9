/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.ring;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Lets a thread, also a virtual one, wait for what another thread writes without a lock. */
public final class Waiter {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean waiting;

    Waiter() {}

    /**
     * Waits until a condition holds.
     *
     * @param there the condition; what makes it true is followed by {@link #signal()}
     * @param nanos longest time
     * @return whether it holds
     * @throws InterruptedException where the thread is interrupted
     */
    public boolean await(BooleanSupplier there, long nanos) throws InterruptedException {
        if (there.getAsBoolean()) {
            return true;
        }
        lock.lockInterruptibly();
        try {
            waiting = true;
            VarHandle.fullFence(); // the flag is stored before the condition is looked at
            long left = nanos;
            while (!there.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            waiting = false;
            lock.unlock();
        }
    }

    /** Wakes the thread that waits. */
    public void signal() {
        VarHandle.fullFence(); // what it waits for is stored before the flag is loaded
        if (waiting) {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
