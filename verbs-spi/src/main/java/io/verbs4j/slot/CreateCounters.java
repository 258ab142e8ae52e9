/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;

/** The function in the slot {@link io.verbs4j.ContextSlot#CREATE_COUNTERS}. */
@FunctionalInterface
public interface CreateCounters {
    /**
     * Creates counters, none of which counts yet.
     *
     * @param attr attributes of the counters
     * @return the new counters
     * @throws io.verbs4j.VerbsException with the errno
     */
    Counters createCounters(CountersInitAttr attr);
}
