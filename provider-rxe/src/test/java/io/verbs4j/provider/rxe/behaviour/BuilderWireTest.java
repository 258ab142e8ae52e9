/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Builders, between two devices: packets through sockets. */
class BuilderWireTest extends BuilderBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
