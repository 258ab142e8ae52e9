/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ModifyCqAttr;

/** The function in the slot {@link io.verbs4j.ContextSlot#MODIFY_CQ}. Frozen. */
@FunctionalInterface
public interface ModifyCq {
    /**
     * Changes a completion queue.
     *
     * @param cq the queue
     * @param attr what to change; the provider rejects bits that it does not know
     * @throws io.verbs4j.VerbsException with the errno
     */
    void modifyCq(CompletionQueue cq, ModifyCqAttr attr);
}
