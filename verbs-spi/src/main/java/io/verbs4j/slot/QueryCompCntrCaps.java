/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.CompCntrCaps;

/** What is in the slot {@link io.verbs4j.ContextSlot#QUERY_COMP_CNTR_CAPS}. */
@FunctionalInterface
public interface QueryCompCntrCaps {
    /**
     * Tells what the device can do with completion counters.
     *
     * @param caps to be filled
     * @throws io.verbs4j.VerbsException with the errno
     */
    void queryCompCntrCaps(CompCntrCaps caps);
}
