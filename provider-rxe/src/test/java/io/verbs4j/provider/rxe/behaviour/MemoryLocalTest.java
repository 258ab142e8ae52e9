/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Kinds of memory, between two contexts of one device: without packets. */
class MemoryLocalTest extends MemoryBehaviour {
    @Override
    boolean overTheWire() {
        return false;
    }
}
