/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/** The results of masked atomic operations; for 4-byte operations, only the lower half counts. */
final class MaskedValue {
    private MaskedValue() {}

    /**
     * Replaces the bits of {@code swapMask} if all bits of {@code compareMask} are equal; otherwise returns the old
     * value.
     */
    static long compareAndSwap(long old, long compare, long compareMask, long swap, long swapMask) {
        return ((old ^ compare) & compareMask) == 0 ? old & ~swapMask | swap & swapMask : old;
    }

    /** Adds each field separately; {@code tops} are the fields' top bits, and no carry leaves a field. */
    static long add(long old, long add, long tops) {
        // Without the top bits, a sum carries into them and no further.
        return (old & ~tops) + (add & ~tops) ^ (old ^ add) & tops;
    }
}
