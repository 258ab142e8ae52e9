/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.Counters;

/** The function in the slot {@link io.verbs4j.ContextSlot#DESTROY_COUNTERS}. */
@FunctionalInterface
public interface DestroyCounters {
    /**
     * Destroys counters that no flow uses.
     *
     * @param counters open counters
     * @throws io.verbs4j.VerbsException with the errno
     */
    void destroyCounters(Counters counters);
}
