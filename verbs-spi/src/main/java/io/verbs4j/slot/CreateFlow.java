/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.QueuePair;

/** The function in the slot {@link io.verbs4j.ContextSlot#CREATE_FLOW}. */
@FunctionalInterface
public interface CreateFlow {
    /**
     * Creates a rule that steers packets to a queue pair.
     *
     * @param qp an open queue pair
     * @param attr the rule; no specification is null
     * @return the new flow
     * @throws io.verbs4j.VerbsException with the errno
     */
    Flow createFlow(QueuePair qp, FlowAttr attr);
}
