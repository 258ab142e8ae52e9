/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.AllocDmAttr;
import io.verbs4j.DeviceMemory;

/** What is in the slot {@link io.verbs4j.ContextSlot#ALLOC_DM}. Frozen. */
@FunctionalInterface
public interface AllocDm {
    /**
     * Allocates memory on the device.
     *
     * @param attr how; the provider refuses bits that it does not know
     * @return the new memory, at least as long as asked for
     * @throws io.verbs4j.VerbsException with the errno
     */
    DeviceMemory allocDm(AllocDmAttr attr);
}
