/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.ring;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Lets a thread, which may be virtual, wait for another thread that writes without a lock. */
public final class Waiter {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean waiting;

    Waiter() {}

    /**
     * Waits until a condition holds.
     *
     * @param there the condition; {@link #signal()} must follow whatever makes it true
     * @param nanos maximum time to wait
     * @return whether it holds
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean await(BooleanSupplier there, long nanos) throws InterruptedException {
        if (there.getAsBoolean()) {
            return true;
        }
        lock.lockInterruptibly();
        try {
            waiting = true;
            VarHandle.fullFence(); // the flag is stored before the condition is evaluated
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

    /** Wakes the waiting thread. */
    public void signal() {
        VarHandle.fullFence(); // the condition's data is stored before the flag is loaded
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
