/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.MemoryRegion;

/** The function in the slot {@link io.verbs4j.ContextSlot#UNIMPORT_MR}. */
@FunctionalInterface
public interface UnimportMr {
    /**
     * Frees a handle of an imported region; the region stays registered.
     *
     * @param mr a handle that {@link ImportMr} returned
     * @throws io.verbs4j.VerbsException with the errno
     */
    void unimportMr(MemoryRegion mr);
}
