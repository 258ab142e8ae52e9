/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DeviceMemory;

/** What is in the slot {@link io.verbs4j.ContextSlot#IMPORT_DM}. */
@FunctionalInterface
public interface ImportDm {
    /**
     * Makes a handle of memory on the device that another context has allocated.
     *
     * @param handle the number that {@link ExportHandle} returned for it
     * @param length how many bytes of it the handle is for, from the first on
     * @return the new handle, of that length
     * @throws io.verbs4j.VerbsException with the errno
     */
    DeviceMemory importDm(int handle, long length);
}
