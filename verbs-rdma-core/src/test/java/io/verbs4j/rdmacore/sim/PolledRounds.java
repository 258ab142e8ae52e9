/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.sim;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many rounds a program runs beside threads that poll: the number asked for, and more if nothing was polled by
 * then, since a busy machine may not have given the other threads a turn.
 */
public final class PolledRounds {
    /** Times the number asked for. */
    private static final int MOST = 20;

    private final int rounds;
    private final AtomicLong polled;

    /** Creates it. {@code polled} is the number of completions polled so far. */
    public PolledRounds(int rounds, AtomicLong polled) {
        this.rounds = rounds;
        this.polled = polled;
    }

    /** Returns whether to run a round, numbered from 0. */
    public boolean includes(int round) {
        return round < rounds || polled.get() == 0 && round < MOST * rounds;
    }
}
