/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DeviceAttrEx;
import io.verbs4j.QueryDeviceExInput;

/** What is in the slot {@link io.verbs4j.ContextSlot#QUERY_DEVICE_EX}. Frozen. */
@FunctionalInterface
public interface QueryDeviceEx {
    /**
     * Tells what the device can do.
     *
     * @param input what is asked; the provider refuses bits that it does not know
     * @param attr to be filled; {@link DeviceAttrEx#ORIG_ATTR} at least
     * @throws io.verbs4j.VerbsException with the errno
     */
    void queryDeviceEx(QueryDeviceExInput input, DeviceAttrEx attr);
}
