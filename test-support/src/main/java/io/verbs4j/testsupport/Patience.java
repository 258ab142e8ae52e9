/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Limits for waiting for another thread or a device. What takes no time on a quiet machine may take seconds when other
 * programs use the processors, so the limit is far beyond the need: it only catches what never happens. A wait ends as
 * soon as its condition holds.
 */
public final class Patience {
    /** The limit of a wait, in seconds. */
    public static final long SECONDS = 120;

    /** The limit of a wait, in nanoseconds. */
    public static final long NANOS = TimeUnit.SECONDS.toNanos(SECONDS);

    /** The limit of a whole test that waits, in seconds: several of its waits may take long. */
    public static final long TEST_SECONDS = 5 * SECONDS;

    private static final int SPINS = 200;
    private static final long NAP_NANOS = 20_000;

    private Patience() {}

    /**
     * Pauses a loop that waits: spins at first, then sleeps for moments. A loop that only spins may hold the processor
     * that the other thread needs, for a whole time slice in each turn. Allocates nothing; an interrupt only shortens
     * it.
     *
     * @param turn how often the loop has waited before, from 0
     */
    public static void pause(int turn) {
        if (turn < SPINS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(NAP_NANOS);
        }
    }
}
