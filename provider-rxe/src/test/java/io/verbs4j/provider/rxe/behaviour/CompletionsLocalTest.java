/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Completions, between two contexts of one device: without packets. */
class CompletionsLocalTest extends CompletionsBehaviour {
    @Override
    boolean overTheWire() {
        return false;
    }
}
