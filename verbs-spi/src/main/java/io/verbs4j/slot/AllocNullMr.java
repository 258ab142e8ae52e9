/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;

/** What is in the slot {@link io.verbs4j.ContextSlot#ALLOC_NULL_MR}. Frozen. */
@FunctionalInterface
public interface AllocNullMr {
    /**
     * Makes a region of nothing: what is written there vanishes.
     *
     * @param pd the domain
     * @return the new region: address 0, length all ones
     * @throws io.verbs4j.VerbsException with the errno
     */
    MemoryRegion allocNullMr(ProtectionDomain pd);
}
