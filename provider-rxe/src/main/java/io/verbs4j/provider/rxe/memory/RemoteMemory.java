/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/**
 * A part of a message that lies in another process's memory. Valid only for the thread that received it, while it
 * handles it.
 */
public interface RemoteMemory {
    /** {@return the number of bytes, above 0} */
    long bytes();

    /**
     * Copies from the other process.
     *
     * @param offset offset of the first byte
     * @param to target address in memory
     * @param count number of bytes; on failure, some may have been copied
     * @return false if the source can't be read or the memory at {@code to} is missing
     */
    boolean fetch(long offset, long to, long count);
}
