/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;

/** The function in the slot {@link io.verbs4j.ContextSlot#REG_MR_EX}. Frozen. */
@FunctionalInterface
public interface RegMrEx {
    /**
     * Registers memory.
     *
     * @param pd the domain
     * @param attr what to register, and how; it has either memory or a dma-buf. The provider rejects bits that it does
     *     not know
     * @return the new region
     * @throws io.verbs4j.VerbsException with the errno
     */
    MemoryRegion regMrEx(ProtectionDomain pd, RegMrAttrEx attr);
}
