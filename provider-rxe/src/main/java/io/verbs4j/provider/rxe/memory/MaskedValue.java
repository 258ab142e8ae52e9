/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/** What masked atomic operations make of a value; of 4 bytes, the lower half counts. */
final class MaskedValue {
    private MaskedValue() {}

    /** Where the compared bits are equal, the swapped bits are new; else the value is what it was. */
    static long compareAndSwap(long old, long compare, long compareMask, long swap, long swapMask) {
        return ((old ^ compare) & compareMask) == 0 ? old & ~swapMask | swap & swapMask : old;
    }

    /** The sum in each field; {@code tops} are the uppermost bits of fields, out of which nothing is carried. */
    static long add(long old, long add, long tops) {
        // The sum without the top bits carries into them, and no further.
        return (old & ~tops) + (add & ~tops) ^ (old ^ add) & tops;
    }
}
