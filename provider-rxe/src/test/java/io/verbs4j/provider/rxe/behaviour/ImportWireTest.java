/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Imported objects, between two devices: packets through sockets. */
class ImportWireTest extends ImportBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
