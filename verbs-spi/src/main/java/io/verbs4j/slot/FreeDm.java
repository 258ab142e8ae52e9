/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DeviceMemory;

/** The function in the slot {@link io.verbs4j.ContextSlot#FREE_DM}. Frozen. */
@FunctionalInterface
public interface FreeDm {
    /**
     * Frees memory on the device that nothing refers to.
     *
     * @param dm the memory
     * @throws io.verbs4j.VerbsException with the errno
     */
    void freeDm(DeviceMemory dm);
}
