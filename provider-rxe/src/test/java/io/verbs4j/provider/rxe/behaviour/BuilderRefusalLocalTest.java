/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Refused builders, between two contexts of one device: without packets. */
class BuilderRefusalLocalTest extends BuilderRefusalBehaviour {
    @Override
    boolean overTheWire() {
        return false;
    }
}
