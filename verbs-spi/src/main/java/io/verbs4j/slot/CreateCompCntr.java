/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompletionCounter;

/** What is in the slot {@link io.verbs4j.ContextSlot#CREATE_COMP_CNTR}. */
@FunctionalInterface
public interface CreateCompCntr {
    /**
     * Makes a completion counter at 0.
     *
     * @param attr what it counts; the provider refuses bits that it does not know
     * @return the new handle
     * @throws io.verbs4j.VerbsException with the errno
     */
    CompletionCounter createCompCntr(CompCntrInitAttr attr);
}
