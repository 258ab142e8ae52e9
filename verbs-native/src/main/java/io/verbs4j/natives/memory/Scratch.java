/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

/** Memory for the duration of one call, all zero at first. Used and closed by one thread. */
public final class Scratch implements AutoCloseable {
    private final long address;

    /** Allocates {@code size} bytes, at least 1. */
    public Scratch(int size) {
        address = NativeMemory.allocate(size);
    }

    /** {@return the first address, valid until close} */
    public long address() {
        return address;
    }

    @Override
    public void close() {
        NativeMemory.free(address);
    }
}
