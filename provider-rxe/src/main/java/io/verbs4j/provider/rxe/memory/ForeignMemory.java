/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/**
 * Memory of another process that this one has imported. It is reached by system calls, at addresses of that process, and can end at any
 * time. Any thread may call; no method throws or allocates.
 */
public interface ForeignMemory {
    /** Whether the other process still lends it; true where that process was killed. */
    boolean isValid();

    /** Whether the first and the last byte of a range can be read now. */
    boolean canRead(long address, long bytes);

    /**
     * Copies from it to memory of this process.
     *
     * @return false where either is gone; part may have been copied
     */
    boolean read(long address, long to, long bytes);

    /**
     * Copies to it from memory of this process. Its owner waits for a copy that is under way before the memory ends.
     *
     * @return false where either is gone; part may have been copied
     */
    boolean write(long from, long address, long bytes);

    /**
     * Copies to memory that is imported, too.
     *
     * @return false where either is gone; part may have been copied
     */
    boolean copy(long address, ForeignMemory to, long toAddress, long bytes);

    /**
     * Writes zeros.
     *
     * @return false where it is gone; part may have been written
     */
    boolean clear(long address, long bytes);

    /**
     * Copies to it from the memory of a third process.
     *
     * @param from what
     * @param offset which byte of that is the first
     * @return {@link KeyMemory#OK} or another constant of that class; part may have been copied
     */
    int fetch(RemoteMemory from, long offset, long address, long bytes);
}
