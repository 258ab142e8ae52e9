/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;

/** The function in the slot {@link io.verbs4j.ContextSlot#IMPORT_MR}. */
@FunctionalInterface
public interface ImportMr {
    /**
     * Creates a handle of a memory region that another context has registered.
     *
     * @param pd this context's handle of the region's domain
     * @param handle the number that {@link ExportHandle} returned for it
     * @return the new handle; address and access rights are 0 if the device does not report them
     * @throws io.verbs4j.VerbsException with the errno
     */
    MemoryRegion importMr(ProtectionDomain pd, int handle);
}
