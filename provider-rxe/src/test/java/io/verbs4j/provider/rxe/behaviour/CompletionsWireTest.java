/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Completions, between two devices: packets through sockets. */
class CompletionsWireTest extends CompletionsBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
