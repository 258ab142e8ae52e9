/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import io.verbs4j.natives.memory.NativeMemory;

/**
 * Where the bytes of a region are whose addresses are not, or not for certain, those of its memory: it begins at an address of the
 * program's choice, its pages come on demand, it is on the device, behind a descriptor, or nowhere.
 *
 * <p>libmlx5 takes the address in a work request for that of memory where it copies inline data, and messages that came inside
 * completions. Here that is looked up.
 */
public interface Place {
    /** Nothing is there: what is written vanishes. */
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
     * Where in this process a byte can be read.
     *
     * @param offset from the beginning of the region
     * @return the address; 0 where it can't be read so, or may not be there
     */
    long address(long offset);

    /**
     * Copies bytes there.
     *
     * @param offset from the beginning of the region
     * @param from where from, in this process
     * @param length how many, from 1
     * @return whether they are there now
     */
    boolean put(long offset, long from, int length);

    /** Lets go of what the place needs itself; the region is gone. */
    default void close() {}

    /** Memory of this process that stays there while the region is registered. */
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
     * Addresses of this process that may have no memory.
     *
     * @param release what {@link #close} does
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
