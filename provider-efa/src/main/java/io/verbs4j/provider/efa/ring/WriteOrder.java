/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.StoreFence;

/**
 * The order of stores to a send ring, which is write-combining memory of the device: stores to it may pass others, and leave the processor
 * late. So there is a fence before a descriptor, and one between it and the doorbell, which is not cached and leaves at once. Where there is no
 * {@link StoreFence}, an atomic exchange of a word that nobody reads is one: a locked instruction, which the compiler does not remove. Of two
 * full fences it removes the first.
 */
final class WriteOrder {
    private WriteOrder() {}

    /**
     * What is written before leaves the processor before what is written after.
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
