/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.lock;

import java.util.concurrent.locks.LockSupport;

/**
 * Short waits that an interrupt does not end. {@link LockSupport} does not wait at all in an interrupted thread, which
 * would then spin.
 */
public final class Nap {
    private Nap() {}

    /** Waits for the given time, or until the thread is unparked. An interrupted thread stays interrupted. */
    public static void nanos(long nanos) {
        nanos(null, nanos);
    }

    /** As {@link #nanos(long)}; thread dumps show {@code blocker}. */
    public static void nanos(Object blocker, long nanos) {
        boolean interrupted = Thread.interrupted();
        if (interrupted) {
            LockSupport.parkNanos(blocker, 1); // the interrupt acts as a permit, which this wait uses up
        }
        LockSupport.parkNanos(blocker, nanos);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits briefly, for the {@code i}th time in a row: spins the first {@code spins} times, then parks the thread. */
    public static void spin(int i, int spins, long nanos) {
        if (i < spins) {
            Thread.onSpinWait();
        } else {
            nanos(nanos);
        }
    }
}
