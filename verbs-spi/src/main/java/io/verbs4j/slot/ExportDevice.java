/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.ExportedFd;

/** The function in the slot {@link io.verbs4j.ContextSlot#EXPORT_DEVICE}. */
@FunctionalInterface
public interface ExportDevice {
    /**
     * Exports the context as a descriptor, through which it can be imported.
     *
     * @return the file descriptor, which the caller must close
     * @throws io.verbs4j.VerbsException with the errno
     */
    ExportedFd exportDevice();
}
