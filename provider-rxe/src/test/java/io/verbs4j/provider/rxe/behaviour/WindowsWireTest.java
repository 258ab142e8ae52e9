/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Windows of type 2, between two devices: packets through sockets. */
class WindowsWireTest extends WindowsBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
