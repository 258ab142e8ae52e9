/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.provider.rxe.clock.TickClock;
import io.verbs4j.provider.rxe.clock.WallClock;

/**
 * What is special about a completion queue.
 *
 * @param ticks clock for time stamps of the device; null where none are wanted
 * @param wall clock for times of day; null where none are wanted
 * @param singleThreaded whether no two threads ever read at a time
 * @param tmInfo whether completions carry the headers of messages that were matched
 * @param ignoreOverrun whether what comes to a full queue takes the place of the oldest, and nobody is told
 */
public record CqOptions(
        TickClock ticks, WallClock wall, boolean singleThreaded, boolean tmInfo, boolean ignoreOverrun) {
    /** Nothing is. */
    public static final CqOptions PLAIN = new CqOptions(null, null, false, false, false);

    /** Whether completions have more than those of level 1. */
    boolean hasMore() {
        return ticks != null || wall != null || tmInfo;
    }
}
