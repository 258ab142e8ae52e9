/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** Atomic writes, flushes, masked atomics and no-ops, between two contexts of one device: without packets. */
class AnsweredOperationsLocalTest extends AnsweredOperationsBehaviour {
    @Override
    boolean overTheWire() {
        return false;
    }
}
