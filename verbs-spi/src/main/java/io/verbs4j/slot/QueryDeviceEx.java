/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.slot;

import io.verbs4j.DeviceAttrEx;
import io.verbs4j.QueryDeviceExInput;

/** The function in the slot {@link io.verbs4j.ContextSlot#QUERY_DEVICE_EX}. Frozen. */
@FunctionalInterface
public interface QueryDeviceEx {
    /**
     * Queries the extended capabilities of the device.
     *
     * @param input the input attributes; the provider rejects bits that it does not know
     * @param attr receives the attributes, at least {@link DeviceAttrEx#ORIG_ATTR}
     * @throws io.verbs4j.VerbsException with the errno
     */
    void queryDeviceEx(QueryDeviceExInput input, DeviceAttrEx attr);
}
