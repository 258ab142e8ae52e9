/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.CompletionCounter;

/** The function in the slot {@link io.verbs4j.ContextSlot#DESTROY_COMP_CNTR}. */
@FunctionalInterface
public interface DestroyCompCntr {
    /**
     * Destroys a counter that is attached to no queue pair.
     *
     * @param counter a handle that {@link CreateCompCntr} returned
     * @throws io.verbs4j.VerbsException with the errno
     */
    void destroyCompCntr(CompletionCounter counter);
}
