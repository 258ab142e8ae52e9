/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.ProtectionDomain;

/** The function in the slot {@link io.verbs4j.ContextSlot#ALLOC_MR_KEY}. Frozen. */
@FunctionalInterface
public interface AllocMrKey {
    /**
     * Allocates a key without memory.
     *
     * @param pd the domain
     * @param attr attributes to create it with; the provider rejects bits that it does not know
     * @return the new region, of length 0
     * @throws io.verbs4j.VerbsException with the errno
     */
    MemoryRegion allocMrKey(ProtectionDomain pd, MrKeyInitAttr attr);
}
