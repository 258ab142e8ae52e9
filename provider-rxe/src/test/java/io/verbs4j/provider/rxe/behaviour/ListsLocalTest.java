/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Listss, between two contexts of one device: without packets. */
class ListsLocalTest extends ListsBehaviour {
    @Override
    boolean overTheWire() {
        return false;
    }
}
