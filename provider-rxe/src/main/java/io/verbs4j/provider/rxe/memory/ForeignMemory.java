/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/**
 * Memory that this process has imported from another one. It is accessed by system calls, at addresses of the other
 * process, and can disappear at any time. Thread-safe; no method throws or allocates.
 */
public interface ForeignMemory {
    /** Returns whether the other process still lends the memory; true even if that process was killed. */
    boolean isValid();

    /** Returns whether the first and the last byte of a range can be read now. */
    boolean canRead(long address, long bytes);

    /**
     * Copies from it to memory of this process.
     *
     * @return false if either memory is gone; part may have been copied
     */
    boolean read(long address, long to, long bytes);

    /**
     * Copies to it from memory of this process. Its owner waits for a copy in progress before the memory ends.
     *
     * @return false if either memory is gone; part may have been copied
     */
    boolean write(long from, long address, long bytes);

    /**
     * Copies from it to other imported memory.
     *
     * @return false if either memory is gone; part may have been copied
     */
    boolean copy(long address, ForeignMemory to, long toAddress, long bytes);

    /**
     * Writes zeros.
     *
     * @return false if the memory is gone; part may have been written
     */
    boolean clear(long address, long bytes);

    /**
     * Copies to it from the memory of a third process.
     *
     * @param from memory to copy from
     * @param offset offset of the first byte in {@code from}
     * @return {@link KeyMemory#OK} or another constant of that class; part may have been copied
     */
    int fetch(RemoteMemory from, long offset, long address, long bytes);
}
