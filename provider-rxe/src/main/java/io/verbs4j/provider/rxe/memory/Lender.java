/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/** Lends memory of a key to another process, until that process has read it or the memory is recalled. */
public interface Lender {
    /**
     * Recalls what was lent up to a point.
     *
     * @param until the point passed to {@link MemoryKey#lend}
     */
    void recall(long until);

    /** {@return whether nothing is lent any more and nothing will be} */
    boolean isClosed();
}
