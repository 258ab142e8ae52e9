/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.WorkQueue;
import io.verbs4j.WqInitAttr;

/** The function in the slot {@link io.verbs4j.ContextSlot#CREATE_WQ}. */
@FunctionalInterface
public interface CreateWq {
    /**
     * Creates a work queue, in state RESET.
     *
     * @param attr attributes of the queue; the provider writes the actual capacities
     * @return the new queue
     * @throws io.verbs4j.VerbsException with the errno
     */
    WorkQueue createWq(WqInitAttr attr);
}
