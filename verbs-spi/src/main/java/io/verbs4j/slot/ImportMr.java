/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;

/** What is in the slot {@link io.verbs4j.ContextSlot#IMPORT_MR}. */
@FunctionalInterface
public interface ImportMr {
    /**
     * Makes a handle of a memory region that another context has registered.
     *
     * @param pd the domain of the region, as this context has it
     * @param handle the number that {@link ExportHandle} returned for it
     * @return the new handle; of what the device does not tell, address and rights are 0
     * @throws io.verbs4j.VerbsException with the errno
     */
    MemoryRegion importMr(ProtectionDomain pd, int handle);
}
