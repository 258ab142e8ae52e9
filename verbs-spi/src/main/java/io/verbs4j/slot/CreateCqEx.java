/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;

/** The function in the slot {@link io.verbs4j.ContextSlot#CREATE_CQ_EX}. Frozen. */
@FunctionalInterface
public interface CreateCqEx {
    /**
     * Creates a completion queue.
     *
     * @param attr attributes to create it with; the provider rejects bits that it does not know
     * @return the new queue, which reports the same {@link CompletionQueue#wcFlags()}
     * @throws io.verbs4j.VerbsException with the errno
     */
    CompletionQueue createCqEx(CqInitAttrEx attr);
}
