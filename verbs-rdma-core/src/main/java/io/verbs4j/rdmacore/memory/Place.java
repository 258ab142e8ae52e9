/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import io.verbs4j.natives.memory.NativeMemory;

/**
 * The location of the bytes of a region whose addresses are not, or not certainly, those of its memory: the region
 * starts at an address of the program's choice, is paged on demand, or is in device memory, behind a descriptor or
 * nowhere.
 *
 * <p>libmlx5 takes the address in a work request for a memory address when it copies inline data, or messages that
 * arrived in completions. This binding looks the location up instead.
 */
public interface Place {
    /** Nowhere: data written to it vanish. */
    Place NOWHERE = new Place() {
        @Override
        public long address(long offset) {
            return 0;
        }

        @Override
        public boolean put(long offset, long from, int length) {
            return true;
        }
    };

    /**
     * Returns the address at which this process can read a byte.
     *
     * @param offset from the start of the region
     * @return the address, or 0 if the byte cannot be read directly or may not be mapped
     */
    long address(long offset);

    /**
     * Copies bytes to the place.
     *
     * @param offset from the start of the region
     * @param from source address in this process
     * @param length number of bytes, at least 1
     * @return whether they were copied
     */
    boolean put(long offset, long from, int length);

    /** Releases the place's own resources when the region is gone. */
    default void close() {}

    /** {@return memory of this process that stays mapped while the region is registered} */
    static Place memory(long start) {
        return new Place() {
            @Override
            public long address(long offset) {
                return start + offset;
            }

            @Override
            public boolean put(long offset, long from, int length) {
                NativeMemory.copy(from, start + offset, length);
                return true;
            }
        };
    }

    /**
     * Returns addresses of this process that may not be mapped.
     *
     * @param release runs at {@link #close}
     */
    static Place perhaps(long start, Runnable release) {
        return new Place() {
            @Override
            public long address(long offset) {
                return 0;
            }

            @Override
            public boolean put(long offset, long from, int length) {
                return KernelCopy.copy(from, start + offset, length);
            }

            @Override
            public void close() {
                release.run();
            }
        };
    }
}
