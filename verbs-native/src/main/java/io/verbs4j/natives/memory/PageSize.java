/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The kernel's page size, from {@code Unsafe} or, if that is not used, from the auxiliary vector that the kernel passes
 * to a program, see getauxval(3).
 */
public final class PageSize {
    private static final Path AUXILIARY_VECTOR = Path.of("/proc/self/auxv");
    private static final long AT_PAGESZ = 6;
    private static final int LEAST = 4096;

    /** Bytes per page. */
    public static final int BYTES = MemoryAccess.isForeign() ? find() : UnsafeMemory.pageSize();

    private PageSize() {}

    /**
     * Returns the page size in bytes; if it is unknown, the smallest possible, so that code that walks from page to
     * page misses none.
     */
    private static int find() {
        try {
            return of(Files.readAllBytes(AUXILIARY_VECTOR));
        } catch (IOException e) {
            return LEAST; // not Linux
        }
    }

    /** Reads the page size from an auxiliary vector: pairs of 64-bit numbers, a kind and a value. */
    private static int of(byte[] vector) {
        ByteBuffer pairs = ByteBuffer.wrap(vector).order(ByteOrder.nativeOrder());
        while (pairs.remaining() >= 2 * Long.BYTES) {
            long kind = pairs.getLong();
            long value = pairs.getLong();
            if (kind == AT_PAGESZ && value >= LEAST && Long.bitCount(value) == 1) {
                return (int) value;
            }
        }
        return LEAST;
    }
}
