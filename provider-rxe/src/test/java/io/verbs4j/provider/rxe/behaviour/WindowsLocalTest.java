/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Windows of type 2, between two contexts of one device: without packets. */
class WindowsLocalTest extends WindowsBehaviour {
    @Override
    boolean overTheWire() {
        return false;
    }
}
