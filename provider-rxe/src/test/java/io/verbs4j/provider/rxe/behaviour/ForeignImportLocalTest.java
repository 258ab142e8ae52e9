/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Objects of another process, between two contexts of one device: without packets. */
class ForeignImportLocalTest extends ForeignImportBehaviour {
    @Override
    boolean overTheWire() {
        return false;
    }
}
