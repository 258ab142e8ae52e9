/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DmaBuffer;

/** The function in the slot {@link io.verbs4j.ContextSlot#FREE_BUF}. */
@FunctionalInterface
public interface FreeBuf {
    /**
     * Frees a buffer that has no registered regions.
     *
     * @param buf an open buffer
     * @throws io.verbs4j.VerbsException with the errno
     */
    void freeBuf(DmaBuffer buf);
}
