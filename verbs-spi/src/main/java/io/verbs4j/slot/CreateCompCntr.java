/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompletionCounter;

/** The function in the slot {@link io.verbs4j.ContextSlot#CREATE_COMP_CNTR}. */
@FunctionalInterface
public interface CreateCompCntr {
    /**
     * Creates a completion counter, which starts at 0.
     *
     * @param attr what the counter counts; the provider rejects bits that it does not know
     * @return the new handle
     * @throws io.verbs4j.VerbsException with the errno
     */
    CompletionCounter createCompCntr(CompCntrInitAttr attr);
}
