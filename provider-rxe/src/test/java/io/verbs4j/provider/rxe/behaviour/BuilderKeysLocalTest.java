/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Keys by builders, between two contexts of one device: without packets. */
class BuilderKeysLocalTest extends BuilderKeysBehaviour {
    @Override
    boolean overTheWire() {
        return false;
    }
}
