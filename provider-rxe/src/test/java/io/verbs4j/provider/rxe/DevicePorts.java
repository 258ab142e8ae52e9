/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.Device;
import io.verbs4j.provider.rxe.port.Port;

/** Lets tests look behind a device. */
public final class DevicePorts {
    private DevicePorts() {}

    /**
     * The port of an embedded device.
     *
     * @param device one of those that the library lists
     * @return its port
     */
    public static Port of(Device device) {
        return ((RxeDevice) device).port;
    }
}
