/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** Finds out whether a device is lost. */
@FunctionalInterface
public interface DeviceCheck {
    /**
     * A device has refused something; by the thread that drives. Where the device is lost, all its connections are lost
     * on return.
     *
     * @param load the device
     * @param errno what with
     * @return whether it is lost
     */
    boolean isLost(DeviceLoad load, int errno);
}
