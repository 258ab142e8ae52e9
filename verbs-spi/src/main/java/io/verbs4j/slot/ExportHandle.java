/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.VerbsObject;

/** The function in the slot {@link io.verbs4j.ContextSlot#EXPORT_HANDLE}. */
@FunctionalInterface
public interface ExportHandle {
    /**
     * Returns the number that identifies an object to contexts that share a descriptor.
     *
     * @param object an open protection domain, memory region or memory on the device
     * @return the number, the same at every call
     * @throws io.verbs4j.VerbsException with the errno
     */
    int exportHandle(VerbsObject object);
}
