/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.ProtectionDomain;

/** The function in the slot {@link io.verbs4j.ContextSlot#UNIMPORT_PD}. */
@FunctionalInterface
public interface UnimportPd {
    /**
     * Frees a handle of an imported domain that nothing refers to; the domain stays.
     *
     * @param pd a handle that {@link ImportPd} returned
     * @throws io.verbs4j.VerbsException with the errno
     */
    void unimportPd(ProtectionDomain pd);
}
