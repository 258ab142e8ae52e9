/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DeviceMemory;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;

/** The function in the slot {@link io.verbs4j.ContextSlot#REG_DM_MR}. Frozen. */
@FunctionalInterface
public interface RegDmMr {
    /**
     * Registers memory on the device.
     *
     * @param pd the domain
     * @param dm the memory
     * @param dmOffset offset of the first byte
     * @param length length in bytes; the range is within the memory
     * @param access {@link io.verbs4j.AccessFlags} bits
     * @return the new region
     * @throws io.verbs4j.VerbsException with the errno
     */
    MemoryRegion regDmMr(ProtectionDomain pd, DeviceMemory dm, long dmOffset, long length, int access);
}
