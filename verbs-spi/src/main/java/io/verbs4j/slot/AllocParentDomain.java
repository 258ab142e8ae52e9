/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;

/** The function in the slot {@link io.verbs4j.ContextSlot#ALLOC_PARENT_DOMAIN}. Frozen. */
@FunctionalInterface
public interface AllocParentDomain {
    /**
     * Allocates a parent domain; {@link io.verbs4j.ContextOps#deallocPd} frees it.
     *
     * @param attr the domains and allocators it consists of; the provider rejects bits that it does not know
     * @return the new domain, of the same domains
     * @throws io.verbs4j.VerbsException with the errno
     */
    ParentDomain allocParentDomain(ParentDomainInitAttr attr);
}
