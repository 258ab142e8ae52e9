/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.ExportedFd;

/** What is in the slot {@link io.verbs4j.ContextSlot#EXPORT_DEVICE}. */
@FunctionalInterface
public interface ExportDevice {
    /**
     * Makes a descriptor of the context, by which it can be imported.
     *
     * @return the file descriptor, the caller's to close
     * @throws io.verbs4j.VerbsException with the errno
     */
    ExportedFd exportDevice();
}
