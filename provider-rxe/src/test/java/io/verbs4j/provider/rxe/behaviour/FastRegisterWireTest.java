/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Keys that work requests give memory to, between two devices: packets through sockets. */
class FastRegisterWireTest extends FastRegisterBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
