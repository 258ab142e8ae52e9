/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.CounterAttachAttr;
import io.verbs4j.Counters;
import io.verbs4j.Flow;

/** The function in the slot {@link io.verbs4j.ContextSlot#ATTACH_COUNTERS_POINT_FLOW}. */
@FunctionalInterface
public interface AttachCountersPointFlow {
    /**
     * Defines what a counter counts.
     *
     * @param counters open counters
     * @param attr what to count, and at which index to read it
     * @param flow an open flow, or null for flows created later
     * @throws io.verbs4j.VerbsException with the errno
     */
    void attachCountersPointFlow(Counters counters, CounterAttachAttr attr, Flow flow);
}
