/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Keys by builders, between two devices: packets through sockets. */
class BuilderKeysWireTest extends BuilderKeysBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
