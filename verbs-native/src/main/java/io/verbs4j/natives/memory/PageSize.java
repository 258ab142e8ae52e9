/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How large the kernel's pages are: where no {@code Unsafe} tells, as the kernel tells a program that it starts, see
 * getauxval(3).
 */
public final class PageSize {
    private static final Path AUXILIARY_VECTOR = Path.of("/proc/self/auxv");
    private static final long AT_PAGESZ = 6;
    private static final int LEAST = 4096;

    /** Bytes of a page. */
    public static final int BYTES = MemoryAccess.isForeign() ? find() : UnsafeMemory.pageSize();

    private PageSize() {}

    /** In bytes; where it is not told, the least that there is: whoever goes from page to page misses none so. */
    private static int find() {
        try {
            return of(Files.readAllBytes(AUXILIARY_VECTOR));
        } catch (IOException e) {
            return LEAST; // not a Linux
        }
    }

    /** Of pairs of 64-bit numbers, a kind and a value. */
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
