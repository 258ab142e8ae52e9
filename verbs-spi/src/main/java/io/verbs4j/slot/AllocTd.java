/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;

/** The function in the slot {@link io.verbs4j.ContextSlot#ALLOC_TD}. Frozen. */
@FunctionalInterface
public interface AllocTd {
    /**
     * Allocates a thread domain.
     *
     * @param attr attributes to create it with; the provider rejects bits that it does not know
     * @return the new domain
     * @throws io.verbs4j.VerbsException with the errno
     */
    ThreadDomain allocTd(TdInitAttr attr);
}
