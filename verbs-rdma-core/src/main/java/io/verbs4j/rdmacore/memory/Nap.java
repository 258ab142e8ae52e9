/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import java.util.concurrent.locks.LockSupport;

/** Short waits inside of a call. An interrupted thread waits as others do, instead of spinning, and stays interrupted. */
public final class Nap {
    private Nap() {}

    /** Waits about so long. */
    public static void nanos(long nanos) {
        boolean interrupted = Thread.interrupted();
        LockSupport.parkNanos(nanos);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
