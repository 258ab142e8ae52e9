/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;

/** What is in the slot {@link io.verbs4j.ContextSlot#CREATE_COUNTERS}. */
@FunctionalInterface
public interface CreateCounters {
    /**
     * Makes counters, of which none counts yet.
     *
     * @param attr how to make them
     * @return the new counters
     * @throws io.verbs4j.VerbsException with the errno
     */
    Counters createCounters(CountersInitAttr attr);
}
