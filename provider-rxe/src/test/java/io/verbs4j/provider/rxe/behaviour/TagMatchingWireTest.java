/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Tag matching, between two devices: packets through sockets. */
class TagMatchingWireTest extends TagMatchingBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
