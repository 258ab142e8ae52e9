/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DeviceMemory;

/** The function in the slot {@link io.verbs4j.ContextSlot#UNIMPORT_DM}. */
@FunctionalInterface
public interface UnimportDm {
    /**
     * Frees a handle of imported memory on the device that nothing refers to; the memory stays.
     *
     * @param dm a handle that {@link ImportDm} returned
     * @throws io.verbs4j.VerbsException with the errno
     */
    void unimportDm(DeviceMemory dm);
}
