/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Allocation, between two devices: packets through sockets. */
class AllocationWireTest extends AllocationBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
