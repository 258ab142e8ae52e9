/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/** A part of a message that lies in the memory of another process. For the thread that it was given to, while it handles it. */
public interface RemoteMemory {
    /** Bytes in all, above 0. */
    long bytes();

    /**
     * Copies from there.
     *
     * @param offset which byte is the first
     * @param to where to, in memory
     * @param count bytes; part of them may have been copied where this fails
     * @return false where it is not to be had, or the memory at {@code to} is not there
     */
    boolean fetch(long offset, long to, long count);
}
