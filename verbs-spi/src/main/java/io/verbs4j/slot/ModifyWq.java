/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;

/** The function in the slot {@link io.verbs4j.ContextSlot#MODIFY_WQ}. */
@FunctionalInterface
public interface ModifyWq {
    /**
     * Changes a work queue, and reports its new state by {@code updateWqState}.
     *
     * @param wq an open queue
     * @param attr the changes; a state transition is a valid one
     * @throws io.verbs4j.VerbsException with the errno
     */
    void modifyWq(WorkQueue wq, WqAttr attr);
}
