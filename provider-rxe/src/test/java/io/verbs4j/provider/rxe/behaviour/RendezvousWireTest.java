/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Rendezvous requests, between two devices: packets through sockets. */
class RendezvousWireTest extends RendezvousBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
