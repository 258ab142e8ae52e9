/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DeviceMemory;

/** The function in the slot {@link io.verbs4j.ContextSlot#IMPORT_DM}. */
@FunctionalInterface
public interface ImportDm {
    /**
     * Creates a handle of memory on the device that another context has allocated.
     *
     * @param handle the number that {@link ExportHandle} returned for it
     * @param length number of bytes that the handle covers, from the first one on
     * @return the new handle, of that length
     * @throws io.verbs4j.VerbsException with the errno
     */
    DeviceMemory importDm(int handle, long length);
}
