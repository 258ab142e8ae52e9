/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** UC between two devices: packets through sockets. */
class UcWireTest extends UcBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
