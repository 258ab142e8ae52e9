/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

/** The lengths of a thread's naps, in nanoseconds: each is twice as long as the one before, up to a maximum. */
final class GrowingNap {
    private final long shortest;
    private final long longest;
    private long next;
    private int lastWait;

    GrowingNap(long shortest, long longest) {
        this.shortest = shortest;
        this.longest = longest;
        next = shortest;
    }

    /** Returns the length of the next nap. */
    long next() {
        long nap = next;
        next = Math.min(2 * nap, longest);
        return nap;
    }

    /** As {@link #next()}, but the shortest again if this is another wait than that of the last call. */
    long next(int waits) {
        if (waits != lastWait) {
            lastWait = waits;
            restart();
        }
        return next();
    }

    /** Makes the next nap the shortest again. */
    void restart() {
        next = shortest;
    }
}
