/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QueuePair;

/** What is in the slot {@link io.verbs4j.ContextSlot#CREATE_QP_EX}. Frozen. */
@FunctionalInterface
public interface CreateQpEx {
    /**
     * Creates a queue pair in state RESET.
     *
     * @param attr how to make it; the provider refuses bits that it does not know, and writes the capacities it gave
     * @return the new queue pair
     * @throws io.verbs4j.VerbsException with the errno
     */
    QueuePair createQpEx(QpInitAttrEx attr);
}
