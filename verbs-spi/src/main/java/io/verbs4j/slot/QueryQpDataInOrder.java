/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.QueuePair;

/** The function in the slot {@link io.verbs4j.ContextSlot#QUERY_QP_DATA_IN_ORDER}. Frozen. */
@FunctionalInterface
public interface QueryQpDataInOrder {
    /**
     * Queries in which order the data of a transfer reaches memory.
     *
     * @param qp the queue pair
     * @param wrOpcode a {@link io.verbs4j.WrOpcode} value
     * @param flags {@link io.verbs4j.DataInOrderFlags} bits
     * @return the provider returns {@link io.verbs4j.DataInOrderCaps} bits, whatever the flags; the library returns
     *     what the flags request
     * @throws io.verbs4j.VerbsException with the errno
     */
    int queryQpDataInOrder(QueuePair qp, int wrOpcode, int flags);
}
