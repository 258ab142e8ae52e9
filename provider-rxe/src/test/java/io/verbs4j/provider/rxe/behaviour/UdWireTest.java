/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** UD between two devices: packets through sockets. */
class UdWireTest extends UdBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
