/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.WorkQueue;
import io.verbs4j.WqInitAttr;

/** What is in the slot {@link io.verbs4j.ContextSlot#CREATE_WQ}. */
@FunctionalInterface
public interface CreateWq {
    /**
     * Makes a work queue, in state RESET.
     *
     * @param attr how to make it; its capacities hold what was given
     * @return the new queue
     * @throws io.verbs4j.VerbsException with the errno
     */
    WorkQueue createWq(WqInitAttr attr);
}
