/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DeviceMemory;
import io.verbs4j.ExportedFd;

/** The function in the slot {@link io.verbs4j.ContextSlot#DM_EXPORT_DMABUF_FD}. Frozen. */
@FunctionalInterface
public interface DmExportDmabufFd {
    /**
     * Exports memory on the device as a dma-buf.
     *
     * @param dm the memory
     * @return the file descriptor, which the caller must close
     * @throws io.verbs4j.VerbsException with the errno
     */
    ExportedFd dmExportDmabufFd(DeviceMemory dm);
}
