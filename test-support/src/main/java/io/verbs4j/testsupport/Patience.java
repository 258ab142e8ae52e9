/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How tests wait for another thread or a device. What comes at once on a quiet machine may take seconds where other
 * programs have the processors, so the limit is far beyond the need: it is for what never comes. A wait ends as soon as
 * its condition holds.
 */
public final class Patience {
    /** The limit of a wait, in seconds. */
    public static final long SECONDS = 120;

    /** The same in nanoseconds. */
    public static final long NANOS = TimeUnit.SECONDS.toNanos(SECONDS);

    /** The limit of a whole test that waits, in seconds: several of its waits may be long. */
    public static final long TEST_SECONDS = 5 * SECONDS;

    private static final int SPINS = 200;
    private static final long NAP_NANOS = 20_000;

    private Patience() {}

    /**
     * Belongs into the body of a loop that waits: spins at first, then sleeps for moments. Who only spins may hold the
     * processor that the other thread needs, for a whole time slice at each turn. Allocates nothing; an interrupt only
     * makes it quicker.
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
