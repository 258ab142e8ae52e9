/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DmaBuffer;
import io.verbs4j.ProtectionDomain;

/** The function in the slot {@link io.verbs4j.ContextSlot#ALLOC_BUF}. */
@FunctionalInterface
public interface AllocBuf {
    /**
     * Allocates memory for a program.
     *
     * @param pd a protection domain, or a parent domain
     * @param length length in bytes, from 1
     * @return the new buffer
     * @throws io.verbs4j.VerbsException with the errno
     */
    DmaBuffer allocBuf(ProtectionDomain pd, long length);
}
