/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.nio.ByteBuffer;

/**
 * Memory by address: the one place of this module that touches memory that is not a Java object. Nothing here checks;
 * callers hold a pinned {@link MemoryKey} that covers what they touch, or own the memory.
 *
 * <p>By the JDK's foreign memory API where there is one that may be used, else by {@code sun.misc.Unsafe} ({@link MemoryAccess}), and not
 * by a native library, so that the embedded device runs wherever a JVM does. Nothing of the one that is not used is loaded.
 */
public final class Memory {
    /** Most bytes copied or set at a time: a JVM can't stop for a garbage collection in the middle of it. */
    private static final long COPY_CHUNK = 1 << 20;

    private static final boolean FOREIGN = MemoryAccess.isForeign();

    /** Bytes of a page. */
    static final int PAGE = FOREIGN ? PageSize.find() : UnsafeMemory.pageSize();

    private Memory() {}

    /** Whether a direct buffer is of a file; true where the JVM does not tell. */
    static boolean isMapped(ByteBuffer buffer) {
        return FOREIGN ? SegmentMemory.isMapped(buffer) : UnsafeMemory.isMapped(buffer);
    }

    /** Whether a direct buffer is of memory that {@code ByteBuffer.allocateDirect} made; false where the JVM does not tell. */
    static boolean isAllocated(ByteBuffer buffer) {
        return !FOREIGN && UnsafeMemory.isAllocated(buffer);
    }

    /** The address of index 0 of a direct buffer. */
    public static long address(ByteBuffer buffer) {
        return FOREIGN ? SegmentMemory.address(buffer) : UnsafeMemory.address(buffer);
    }

    /** Allocates a direct buffer of zeros whose address is a multiple of {@code alignment}, a power of two. */
    public static ByteBuffer allocate(int length, int alignment) {
        ByteBuffer all = ByteBuffer.allocateDirect(length + alignment - 1); // the JVM aligns to 8 bytes
        int from = (int) (-address(all) & alignment - 1);
        return all.slice(from, length); // not alignedSlice: it cuts the end off, too
    }

    /** Copies bytes; the two ranges may overlap only where they are the same. */
    public static void copy(long from, long to, long length) {
        while (length > COPY_CHUNK) {
            copyChunk(from, to, COPY_CHUNK);
            from += COPY_CHUNK;
            to += COPY_CHUNK;
            length -= COPY_CHUNK;
        }
        copyChunk(from, to, length);
    }

    private static void copyChunk(long from, long to, long length) {
        if (FOREIGN) {
            SegmentMemory.copy(from, to, length);
        } else {
            UnsafeMemory.copy(from, to, length);
        }
    }

    /** Sets bytes. */
    public static void fill(long address, long length, byte value) {
        while (length > COPY_CHUNK) {
            fillChunk(address, COPY_CHUNK, value);
            address += COPY_CHUNK;
            length -= COPY_CHUNK;
        }
        fillChunk(address, length, value);
    }

    private static void fillChunk(long address, long length, byte value) {
        if (FOREIGN) {
            SegmentMemory.fill(address, length, value);
        } else {
            UnsafeMemory.fill(address, length, value);
        }
    }

    /** Reads 64 bits in the machine's order. */
    public static long getLong(long address) {
        return FOREIGN ? SegmentMemory.getLong(address) : UnsafeMemory.getLong(address);
    }

    /** Reads 32 bits in the machine's order. */
    public static int getInt(long address) {
        return FOREIGN ? SegmentMemory.getInt(address) : UnsafeMemory.getInt(address);
    }

    /** Writes 32 bits in the machine's order. */
    public static void putInt(long address, int value) {
        if (FOREIGN) {
            SegmentMemory.putInt(address, value);
        } else {
            UnsafeMemory.putInt(address, value);
        }
    }

    /** Writes 64 bits at once, after all that was written before; the address is a multiple of 8. */
    public static void putLongVolatile(long address, long value) {
        if (FOREIGN) {
            SegmentMemory.putLongVolatile(address, value);
        } else {
            UnsafeMemory.putLongVolatile(address, value);
        }
    }

    /** Reads 64 bits at once, before all that is read after; the address is a multiple of 8. */
    public static long getLongVolatile(long address) {
        return FOREIGN ? SegmentMemory.getLongVolatile(address) : UnsafeMemory.getLongVolatile(address);
    }

    /** As {@link #compareAndExchangeLong}, of 32 bits; the address is a multiple of 4. */
    public static int compareAndExchangeInt(long address, int expected, int value) {
        return FOREIGN
                ? SegmentMemory.compareAndExchangeInt(address, expected, value)
                : UnsafeMemory.compareAndExchangeInt(address, expected, value);
    }

    /** Writes 64 bits in the machine's order. */
    public static void putLong(long address, long value) {
        if (FOREIGN) {
            SegmentMemory.putLong(address, value);
        } else {
            UnsafeMemory.putLong(address, value);
        }
    }

    /** Adds to 64 bits, at once for all threads; the address must be a multiple of 8. */
    public static long getAndAddLong(long address, long delta) {
        return FOREIGN ? SegmentMemory.getAndAddLong(address, delta) : UnsafeMemory.getAndAddLong(address, delta);
    }

    /** Compares 64 bits and swaps, at once for all threads; answers what was there. The address is a multiple of 8. */
    public static long compareAndExchangeLong(long address, long expected, long value) {
        return FOREIGN
                ? SegmentMemory.compareAndExchangeLong(address, expected, value)
                : UnsafeMemory.compareAndExchangeLong(address, expected, value);
    }
}
