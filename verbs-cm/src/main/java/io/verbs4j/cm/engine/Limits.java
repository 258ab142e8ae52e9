/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.DeviceAttr;

/**
 * Limits of a device.
 *
 * @param responderResources RDMA reads and atomics that a queue pair answers at a time
 * @param initiatorDepth RDMA reads and atomics that a queue pair has outstanding at a time
 * @param ackDelay response time, 4.096 us times 2 to the power of this value
 */
record Limits(int responderResources, int initiatorDepth, int ackDelay) {
    private static final int MAX_COUNT = 0xff;
    private static final int MAX_DELAY = 31;

    static Limits of(DeviceAttr attr) {
        return new Limits(
                Math.min(attr.maxQpRdAtom(), MAX_COUNT),
                Math.min(attr.maxQpInitRdAtom(), MAX_COUNT),
                Math.min(attr.localCaAckDelay(), MAX_DELAY));
    }
}
