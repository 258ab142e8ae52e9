/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** XRC between two devices: packets through sockets. */
class XrcWireTest extends XrcBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
