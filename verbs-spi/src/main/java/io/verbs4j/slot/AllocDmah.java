/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DmaHandle;
import io.verbs4j.DmahInitAttr;

/** The function in the slot {@link io.verbs4j.ContextSlot#ALLOC_DMAH}. */
@FunctionalInterface
public interface AllocDmah {
    /**
     * Allocates hints.
     *
     * @param attr the hints
     * @return the new handle
     * @throws io.verbs4j.VerbsException with the errno
     */
    DmaHandle allocDmah(DmahInitAttr attr);
}
