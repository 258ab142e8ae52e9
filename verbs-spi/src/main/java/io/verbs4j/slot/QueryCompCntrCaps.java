/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.CompCntrCaps;

/** The function in the slot {@link io.verbs4j.ContextSlot#QUERY_COMP_CNTR_CAPS}. */
@FunctionalInterface
public interface QueryCompCntrCaps {
    /**
     * Queries the capabilities of the device's completion counters.
     *
     * @param caps receives the capabilities
     * @throws io.verbs4j.VerbsException with the errno
     */
    void queryCompCntrCaps(CompCntrCaps caps);
}
