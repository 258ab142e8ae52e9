/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QueuePair;

/** The function in the slot {@link io.verbs4j.ContextSlot#CREATE_QP_EX}. Frozen. */
@FunctionalInterface
public interface CreateQpEx {
    /**
     * Creates a queue pair in state RESET.
     *
     * @param attr attributes to create it with; the provider rejects bits that it does not know, and writes the actual
     *     capacities
     * @return the new queue pair
     * @throws io.verbs4j.VerbsException with the errno
     */
    QueuePair createQpEx(QpInitAttrEx attr);
}
