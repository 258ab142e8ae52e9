/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** RC between two devices: packets through sockets. */
class RcWireTest extends RcBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
