/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DmaHandle;

/** The function in the slot {@link io.verbs4j.ContextSlot#DEALLOC_DMAH}. */
@FunctionalInterface
public interface DeallocDmah {
    /**
     * Frees hints that no memory region uses.
     *
     * @param dmah open hints
     * @throws io.verbs4j.VerbsException with the errno
     */
    void deallocDmah(DmaHandle dmah);
}
