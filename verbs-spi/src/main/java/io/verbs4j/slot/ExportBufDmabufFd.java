/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DmaBuffer;
import io.verbs4j.ExportedFd;

/** The function in the slot {@link io.verbs4j.ContextSlot#EXPORT_BUF_DMABUF_FD}. */
@FunctionalInterface
public interface ExportBufDmabufFd {
    /**
     * Exports a buffer as a dma-buf.
     *
     * @param buf an open buffer
     * @return a descriptor, which the caller must close
     * @throws io.verbs4j.VerbsException with the errno
     */
    ExportedFd exportBufDmabufFd(DmaBuffer buf);
}
