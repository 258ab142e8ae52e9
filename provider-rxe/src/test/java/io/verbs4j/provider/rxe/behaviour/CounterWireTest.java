/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Completion counters, between two devices: packets through sockets. */
class CounterWireTest extends CounterBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
