/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.Ece;
import io.verbs4j.QueuePair;

/** The function in the slot {@link io.verbs4j.ContextSlot#QUERY_ECE}. */
@FunctionalInterface
public interface QueryEce {
    /**
     * Returns the options of the connection of a queue pair.
     *
     * @param qp the queue pair
     * @return the options: before RTR those that it offers, later those agreed on
     * @throws io.verbs4j.VerbsException with the errno
     */
    Ece queryEce(QueuePair qp);
}
