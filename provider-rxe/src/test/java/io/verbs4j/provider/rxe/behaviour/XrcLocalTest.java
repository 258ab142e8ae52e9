/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** XRC between contexts of one device: without packets. */
class XrcLocalTest extends XrcBehaviour {
    @Override
    boolean overTheWire() {
        return false;
    }
}
