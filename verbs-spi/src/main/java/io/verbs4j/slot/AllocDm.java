/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.AllocDmAttr;
import io.verbs4j.DeviceMemory;

/** The function in the slot {@link io.verbs4j.ContextSlot#ALLOC_DM}. Frozen. */
@FunctionalInterface
public interface AllocDm {
    /**
     * Allocates memory on the device.
     *
     * @param attr attributes to create it with; the provider rejects bits that it does not know
     * @return the new memory, at least as long as requested
     * @throws io.verbs4j.VerbsException with the errno
     */
    DeviceMemory allocDm(AllocDmAttr attr);
}
