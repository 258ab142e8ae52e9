/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.StoreFence;

/**
 * Orders stores to a send ring, which is write-combining device memory: such stores may pass each other and leave the
 * processor late. Therefore one fence precedes a descriptor, and another separates it from the doorbell, which is
 * uncached and leaves immediately. Without {@link StoreFence}, the fence is an atomic exchange of an otherwise unused
 * word: a locked instruction that the compiler does not remove. (Of two consecutive full fences, it removes the first.)
 */
final class WriteOrder {
    private WriteOrder() {}

    /**
     * Makes earlier stores leave the processor before later ones.
     *
     * @param word address of the word, a multiple of 4
     */
    static void fence(long word) {
        if (StoreFence.isAvailable()) {
            StoreFence.run();
        } else {
            NativeMemory.exchangeInt(word, 0);
        }
    }
}
