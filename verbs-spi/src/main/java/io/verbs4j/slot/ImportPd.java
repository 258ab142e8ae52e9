/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.ProtectionDomain;

/** The function in the slot {@link io.verbs4j.ContextSlot#IMPORT_PD}. */
@FunctionalInterface
public interface ImportPd {
    /**
     * Creates a handle of a protection domain that another context has allocated.
     *
     * @param handle the number that {@link ExportHandle} returned for it
     * @return the new handle
     * @throws io.verbs4j.VerbsException with the errno
     */
    ProtectionDomain importPd(int handle);
}
