/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Tag matching, between two contexts of one device: without packets. */
class TagMatchingLocalTest extends TagMatchingBehaviour {
    @Override
    boolean overTheWire() {
        return false;
    }
}
