/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.Device;
import io.verbs4j.provider.rxe.port.Port;

/** Gives tests access to the internals of a device. */
public final class DevicePorts {
    private DevicePorts() {}

    /**
     * Returns the port of an embedded device.
     *
     * @param device one of those listed by the library
     * @return its port
     */
    public static Port of(Device device) {
        return ((RxeDevice) device).port;
    }
}
