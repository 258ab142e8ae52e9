/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DeviceMemory;
import io.verbs4j.ExportedFd;

/** What is in the slot {@link io.verbs4j.ContextSlot#DM_EXPORT_DMABUF_FD}. Frozen. */
@FunctionalInterface
public interface DmExportDmabufFd {
    /**
     * Makes a dma-buf of memory on the device.
     *
     * @param dm the memory
     * @return the file descriptor, the caller's to close
     * @throws io.verbs4j.VerbsException with the errno
     */
    ExportedFd dmExportDmabufFd(DeviceMemory dm);
}
