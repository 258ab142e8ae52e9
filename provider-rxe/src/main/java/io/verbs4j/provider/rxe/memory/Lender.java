/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/** Lets another process read memory of a key, until that has it or it is taken back. */
public interface Lender {
    /**
     * Takes back what was lent up to a point.
     *
     * @param until what {@link MemoryKey#lend} was told
     */
    void recall(long until);

    /** Whether nothing is lent any more, nor will be. */
    boolean isClosed();
}
