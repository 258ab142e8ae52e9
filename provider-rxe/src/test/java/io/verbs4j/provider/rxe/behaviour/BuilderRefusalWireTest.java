/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Refused builders, between two devices: packets through sockets. */
class BuilderRefusalWireTest extends BuilderRefusalBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
