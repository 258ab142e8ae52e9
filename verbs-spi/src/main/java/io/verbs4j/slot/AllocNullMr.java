/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;

/** The function in the slot {@link io.verbs4j.ContextSlot#ALLOC_NULL_MR}. Frozen. */
@FunctionalInterface
public interface AllocNullMr {
    /**
     * Allocates a null region: writes to it are discarded.
     *
     * @param pd the domain
     * @return the new region, with address 0 and a length of all ones
     * @throws io.verbs4j.VerbsException with the errno
     */
    MemoryRegion allocNullMr(ProtectionDomain pd);
}
