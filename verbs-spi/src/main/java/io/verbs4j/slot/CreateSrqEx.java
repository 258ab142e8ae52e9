/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttrEx;

/** The function in the slot {@link io.verbs4j.ContextSlot#CREATE_SRQ_EX}. Frozen. */
@FunctionalInterface
public interface CreateSrqEx {
    /**
     * Creates a shared receive queue.
     *
     * @param attr attributes to create it with; the provider rejects bits that it does not know, and writes the actual
     *     capacities
     * @return the new queue
     * @throws io.verbs4j.VerbsException with the errno
     */
    SharedReceiveQueue createSrqEx(SrqInitAttrEx attr);
}
