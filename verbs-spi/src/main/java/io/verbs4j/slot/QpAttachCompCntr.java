/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.CompletionCounter;
import io.verbs4j.QpAttachCompCntrAttr;
import io.verbs4j.QueuePair;

/** The function in the slot {@link io.verbs4j.ContextSlot#QP_ATTACH_COMP_CNTR}. */
@FunctionalInterface
public interface QpAttachCompCntr {
    /**
     * Attaches a counter, which counts what ends on a queue pair until the queue pair is destroyed. The queue pair is
     * in state RESET or INIT and has no counter for any of these operations.
     *
     * @param qp an open queue pair
     * @param counter an open counter of the same context
     * @param attr what to count; the provider rejects operations that it does not count
     * @throws io.verbs4j.VerbsException with the errno
     */
    void qpAttachCompCntr(QueuePair qp, CompletionCounter counter, QpAttachCompCntrAttr attr);
}
