/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** Detects lost devices. */
@FunctionalInterface
public interface DeviceCheck {
    /**
     * Checks whether a device that has refused an operation is lost; by the driving thread. If so, all its connections
     * are lost on return.
     *
     * @param load the device
     * @param errno its error
     * @return whether it is lost
     */
    boolean isLost(DeviceLoad load, int errno);
}
