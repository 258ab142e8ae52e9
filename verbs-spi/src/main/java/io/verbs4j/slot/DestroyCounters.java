/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.Counters;

/** What is in the slot {@link io.verbs4j.ContextSlot#DESTROY_COUNTERS}. */
@FunctionalInterface
public interface DestroyCounters {
    /**
     * Destroys counters, by which no flow counts.
     *
     * @param counters open counters
     * @throws io.verbs4j.VerbsException with the errno
     */
    void destroyCounters(Counters counters);
}
