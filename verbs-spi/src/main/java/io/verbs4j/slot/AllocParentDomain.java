/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;

/** What is in the slot {@link io.verbs4j.ContextSlot#ALLOC_PARENT_DOMAIN}. Frozen. */
@FunctionalInterface
public interface AllocParentDomain {
    /**
     * Makes a parent domain; {@link io.verbs4j.ContextOps#deallocPd} frees it.
     *
     * @param attr what of; the provider refuses bits that it does not know
     * @return the new domain, of the same domains
     * @throws io.verbs4j.VerbsException with the errno
     */
    ParentDomain allocParentDomain(ParentDomainInitAttr attr);
}
