/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.provider.rxe.clock.TickClock;
import io.verbs4j.provider.rxe.clock.WallClock;

/**
 * The options of a completion queue.
 *
 * @param ticks clock for device time stamps, or null for none
 * @param wall clock for wall-clock time stamps, or null for none
 * @param singleThreaded whether two threads never read at the same time
 * @param tmInfo whether completions carry the headers of matched messages
 * @param ignoreOverrun whether a completion for a full queue silently replaces the oldest one
 */
public record CqOptions(
        TickClock ticks, WallClock wall, boolean singleThreaded, boolean tmInfo, boolean ignoreOverrun) {
    /** No options. */
    public static final CqOptions PLAIN = new CqOptions(null, null, false, false, false);

    /** Returns whether completions have more fields than those of level 1. */
    boolean hasMore() {
        return ticks != null || wall != null || tmInfo;
    }
}
