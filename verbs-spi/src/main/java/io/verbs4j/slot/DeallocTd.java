/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.ThreadDomain;

/** The function in the slot {@link io.verbs4j.ContextSlot#DEALLOC_TD}. Frozen. */
@FunctionalInterface
public interface DeallocTd {
    /**
     * Frees a thread domain that nothing refers to.
     *
     * @param td the domain
     * @throws io.verbs4j.VerbsException with the errno
     */
    void deallocTd(ThreadDomain td);
}
