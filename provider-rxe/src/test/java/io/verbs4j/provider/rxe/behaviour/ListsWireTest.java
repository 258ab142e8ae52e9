/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Listss, between two devices: packets through sockets. */
class ListsWireTest extends ListsBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
