/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

/** Memory that has an address and a key for each device of an endpoint. */
public interface DeviceMemory {
    /** Its address for a device. */
    long address(int device);

    /** Its remote key for a device. */
    int rkey(int device);
}
