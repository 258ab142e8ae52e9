/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.lock;

import java.util.concurrent.locks.LockSupport;

/**
 * Short waits that an interrupt does not end. {@link LockSupport} does not wait at all in a thread that is interrupted,
 * which would spin.
 */
public final class Nap {
    private Nap() {}

    /** Waits for a while, or until the thread is unparked. A thread that is interrupted stays so. */
    public static void nanos(long nanos) {
        nanos(null, nanos);
    }

    /** As {@link #nanos(long)}; thread dumps tell what for. */
    public static void nanos(Object blocker, long nanos) {
        boolean interrupted = Thread.interrupted();
        if (interrupted) {
            LockSupport.parkNanos(blocker, 1); // an interrupt is a permit, too, that ends one wait
        }
        LockSupport.parkNanos(blocker, nanos);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits a little, for the {@code i}th time in a row: spins for the first {@code spins} times, then gives the
     * processor away for a while.
     */
    public static void spin(int i, int spins, long nanos) {
        if (i < spins) {
            Thread.onSpinWait();
        } else {
            nanos(nanos);
        }
    }
}
