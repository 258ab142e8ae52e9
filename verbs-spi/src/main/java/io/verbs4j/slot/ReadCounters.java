/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.Counters;

/** The function in the slot {@link io.verbs4j.ContextSlot#READ_COUNTERS}. */
@FunctionalInterface
public interface ReadCounters {
    /**
     * Reads counters.
     *
     * @param counters open counters
     * @param values receives the counters; has at least one element
     * @param flags {@link io.verbs4j.ReadCountersFlags} bits
     * @throws io.verbs4j.VerbsException with the errno
     */
    void readCounters(Counters counters, long[] values, int flags);
}
