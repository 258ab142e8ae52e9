/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Cross channel, within one device: without packets. */
class CrossChannelLocalTest extends CrossChannelBehaviour {
    @Override
    boolean overTheWire() {
        return false;
    }
}
