/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.WorkQueue;

/** The function in the slot {@link io.verbs4j.ContextSlot#DESTROY_WQ}. */
@FunctionalInterface
public interface DestroyWq {
    /**
     * Destroys a work queue that is in no table.
     *
     * @param wq an open queue
     * @throws io.verbs4j.VerbsException with the errno
     */
    void destroyWq(WorkQueue wq);
}
