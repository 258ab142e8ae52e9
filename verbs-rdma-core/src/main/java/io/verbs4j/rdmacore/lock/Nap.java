/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.lock;

import java.util.concurrent.locks.LockSupport;

/**
 * Short waits that an interrupt does not end. {@link LockSupport} does not wait at all in a thread that is interrupted,
 * which would spin.
 */
public final class Nap {
    private Nap() {}

    /** Waits for a while. A thread that is interrupted stays so. */
    public static void nanos(long nanos) {
        boolean interrupted = Thread.interrupted();
        if (interrupted) {
            LockSupport.parkNanos(1); // an interrupt is a permit, too, that ends one wait
        }
        LockSupport.parkNanos(nanos);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
