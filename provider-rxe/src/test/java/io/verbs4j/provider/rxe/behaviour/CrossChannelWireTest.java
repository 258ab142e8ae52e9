/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Cross channel, with peers on another device: packets through sockets. */
class CrossChannelWireTest extends CrossChannelBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
