/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import sun.misc.Unsafe;

/**
 * Memory by address: the one place of this module that touches memory that is not a Java object. Nothing here checks;
 * callers hold a pinned {@link MemoryKey} that covers what they touch, or own the memory.
 *
 * <p>{@code Unsafe} and not a native library, so that the embedded device runs wherever a JVM does.
 */
public final class Memory {
    /** Most bytes copied or set at a time: a JVM can't stop for a garbage collection in the middle of it. */
    private static final long COPY_CHUNK = 1 << 20;

    /** Bytes of a page. */
    static final int PAGE;

    private static final Unsafe UNSAFE;
    private static final long ADDRESS_OFFSET;
    private static final long FILE_OFFSET;

    /** Of no field. */
    private static final long UNKNOWN = -1;

    static {
        try {
            Field f = Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            UNSAFE = (Unsafe) f.get(null);
            PAGE = UNSAFE.pageSize();
            ADDRESS_OFFSET = UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField("address"));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        FILE_OFFSET = fileOffset();
    }

    private static long fileOffset() {
        try {
            return UNSAFE.objectFieldOffset(MappedByteBuffer.class.getDeclaredField("fd"));
        } catch (NoSuchFieldException e) {
            return UNKNOWN;
        }
    }

    /** Whether a direct buffer is of a file; true where the JVM does not tell. */
    static boolean isMapped(ByteBuffer buffer) {
        return FILE_OFFSET == UNKNOWN || UNSAFE.getObject(buffer, FILE_OFFSET) != null;
    }

    private Memory() {}

    /** The address of index 0 of a direct buffer. */
    public static long address(ByteBuffer buffer) {
        return UNSAFE.getLong(buffer, ADDRESS_OFFSET);
    }

    /** Copies bytes; the two ranges may overlap only where they are the same. */
    public static void copy(long from, long to, long length) {
        while (length > COPY_CHUNK) {
            UNSAFE.copyMemory(from, to, COPY_CHUNK);
            from += COPY_CHUNK;
            to += COPY_CHUNK;
            length -= COPY_CHUNK;
        }
        UNSAFE.copyMemory(from, to, length);
    }

    /** Sets bytes. */
    public static void fill(long address, long length, byte value) {
        while (length > COPY_CHUNK) {
            UNSAFE.setMemory(address, COPY_CHUNK, value);
            address += COPY_CHUNK;
            length -= COPY_CHUNK;
        }
        UNSAFE.setMemory(address, length, value);
    }

    /** Reads 64 bits in the machine's order. */
    public static long getLong(long address) {
        return UNSAFE.getLong(address);
    }

    /** Reads 32 bits in the machine's order. */
    public static int getInt(long address) {
        return UNSAFE.getInt(address);
    }

    /** Writes 32 bits in the machine's order. */
    public static void putInt(long address, int value) {
        UNSAFE.putInt(address, value);
    }

    /** Writes 64 bits at once, after all that was written before; the address is a multiple of 8. */
    public static void putLongVolatile(long address, long value) {
        UNSAFE.putLongVolatile(null, address, value);
    }

    /** Reads 64 bits at once, before all that is read after; the address is a multiple of 8. */
    public static long getLongVolatile(long address) {
        return UNSAFE.getLongVolatile(null, address);
    }

    /** As {@link #compareAndExchangeLong}, of 32 bits; the address is a multiple of 4. */
    public static int compareAndExchangeInt(long address, int expected, int value) {
        while (true) {
            int found = UNSAFE.getIntVolatile(null, address);
            if (found != expected || UNSAFE.compareAndSwapInt(null, address, expected, value)) {
                return found;
            }
        }
    }

    /** Writes 64 bits in the machine's order. */
    public static void putLong(long address, long value) {
        UNSAFE.putLong(address, value);
    }

    /** Adds to 64 bits, at once for all threads; the address must be a multiple of 8. */
    public static long getAndAddLong(long address, long delta) {
        return UNSAFE.getAndAddLong(null, address, delta);
    }

    /** Compares 64 bits and swaps, at once for all threads; answers what was there. The address is a multiple of 8. */
    public static long compareAndExchangeLong(long address, long expected, long value) {
        while (true) {
            long found = UNSAFE.getLongVolatile(null, address);
            if (found != expected || UNSAFE.compareAndSwapLong(null, address, expected, value)) {
                return found;
            }
        }
    }
}
