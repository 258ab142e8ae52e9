/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

/** A piece of memory for the length of one call, all zero to begin with. Used and closed by one thread. */
public final class Scratch implements AutoCloseable {
    private final long address;

    /** Allocates so many bytes, from 1. */
    public Scratch(int size) {
        address = NativeMemory.allocate(size);
    }

    /** The first address, valid until close. */
    public long address() {
        return address;
    }

    @Override
    public void close() {
        NativeMemory.free(address);
    }
}
