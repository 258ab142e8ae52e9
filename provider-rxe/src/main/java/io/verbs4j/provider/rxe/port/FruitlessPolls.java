/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

/**
 * Polls of a program that found no packets, and when the polling thread lets other threads run. A peer on another
 * processor answers within the first polls. Where both share a processor, the peer can't answer before this thread
 * yields. But beside threads that compute, each yield costs a time slice of theirs, in which the answer arrives and
 * waits. So after {@link #COSTLY} such yields in a row, the thread polls on for {@link #POLLS_ON} before it yields
 * again. That is less than what counts as a time slice: otherwise two peers that share a processor would each take the
 * other's polls for one, and neither would yield soon any more.
 *
 * <p>Approximate if several threads poll.
 */
class FruitlessPolls {
    /** Number of polls before the thread yields. */
    static final int PATIENCE = 64;

    /** Nanoseconds after which a yield counts as one that cost a time slice; Linux's are at least twice as long. */
    static final long SLICE = 500_000;

    /** Number of yields in a row that must have cost a time slice. */
    static final int COSTLY = 3;

    /** Nanoseconds without yields then. */
    static final long POLLS_ON = 100_000;

    private int polls;
    private int costly;

    /** When the polls without a yield began. */
    private long since;

    /** Notes a poll that found packets. */
    void end() {
        polls = 0;
    }

    /** Notes a poll that found none; returns whether to yield now. */
    boolean add() {
        if (++polls < PATIENCE) { // without reading the time, which takes as long as a poll
            if (polls == PATIENCE - 1) {
                since = nanos();
            }
            return false;
        }
        return costly < COSTLY || nanos() - since >= POLLS_ON;
    }

    /** Lets other threads run. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing to wait on: the packet is the peer's to send
    void letOthersRun() {
        long before = nanos();
        Thread.yield();
        yielded(before, nanos());
    }

    /** {@return the time} A test has another clock. */
    long nanos() {
        return System.nanoTime();
    }

    /**
     * Notes a yield.
     *
     * @param before the time before it
     * @param after the time after it
     */
    void yielded(long before, long after) {
        costly = after - before >= SLICE ? costly + 1 : 0;
        since = after;
    }
}
