/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import sun.misc.Unsafe;

/** {@link NativeMemory} through {@code sun.misc.Unsafe}. A class of its own, so that it is not loaded when unused. */
final class UnsafeMemory {
    private static final Unsafe UNSAFE;
    private static final long ADDRESS_OFFSET;
    private static final long FILE_OFFSET;

    /** Offset of a missing field. */
    private static final long UNKNOWN = -1;

    static {
        try {
            Field f = Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            UNSAFE = (Unsafe) f.get(null);
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

    private UnsafeMemory() {}

    static int pageSize() {
        return UNSAFE.pageSize();
    }

    static boolean isMapped(ByteBuffer buffer) {
        return FILE_OFFSET == UNKNOWN || UNSAFE.getObject(buffer, FILE_OFFSET) != null;
    }

    /**
     * The fields of a direct buffer that show whether its memory was allocated for it. A class of its own, because only
     * registration needs them.
     */
    private static final class Allocation {
        /** Class of all direct byte buffers; null if the JVM lacks the fields. */
        private static final Class<?> TYPE;

        /** Of slices and duplicates: the original buffer. */
        private static final long ATTACHMENT_OFFSET;

        /** Of the original buffer; a buffer made from a native pointer has no cleaner. */
        private static final long CLEANER_OFFSET;

        static {
            Class<?> type = null;
            long attachment = UNKNOWN;
            long cleaner = UNKNOWN;
            try {
                Class<?> direct = Class.forName("java.nio.DirectByteBuffer");
                attachment = UNSAFE.objectFieldOffset(direct.getDeclaredField("att"));
                cleaner = UNSAFE.objectFieldOffset(direct.getDeclaredField("cleaner"));
                type = FILE_OFFSET == UNKNOWN ? null : direct;
            } catch (ReflectiveOperationException e) {
                // isOf returns false
            }
            TYPE = type;
            ATTACHMENT_OFFSET = attachment;
            CLEANER_OFFSET = cleaner;
        }

        static boolean isOf(ByteBuffer buffer) {
            if (TYPE == null || !TYPE.isInstance(buffer)) {
                return false;
            }
            Object attached = UNSAFE.getObject(buffer, ATTACHMENT_OFFSET);
            Object first = attached == null ? buffer : attached;
            return TYPE.isInstance(first)
                    && UNSAFE.getObject(first, CLEANER_OFFSET) != null
                    && UNSAFE.getObject(first, FILE_OFFSET) == null;
        }
    }

    static boolean isAllocated(ByteBuffer buffer) {
        return Allocation.isOf(buffer);
    }

    static long allocate(long size) {
        long address = UNSAFE.allocateMemory(size);
        UNSAFE.setMemory(address, size, (byte) 0);
        return address;
    }

    static void free(long address) {
        UNSAFE.freeMemory(address);
    }

    static long address(ByteBuffer buffer) {
        return UNSAFE.getLong(buffer, ADDRESS_OFFSET);
    }

    static ByteBuffer buffer(long address, int size) {
        return JnaBuffers.at(address, size);
    }

    static void fill(long address, long length, byte value) {
        UNSAFE.setMemory(address, length, value);
    }

    static void copy(long from, long to, long length) {
        UNSAFE.copyMemory(from, to, length);
    }

    static byte getByte(long address) {
        return UNSAFE.getByte(address);
    }

    static void putByte(long address, byte value) {
        UNSAFE.putByte(address, value);
    }

    static short getShort(long address) {
        return UNSAFE.getShort(address);
    }

    static void putShort(long address, short value) {
        UNSAFE.putShort(address, value);
    }

    static int getInt(long address) {
        return UNSAFE.getInt(address);
    }

    static void putInt(long address, int value) {
        UNSAFE.putInt(address, value);
    }

    static long getLong(long address) {
        return UNSAFE.getLong(address);
    }

    static void putLong(long address, long value) {
        UNSAFE.putLong(address, value);
    }

    static int exchangeInt(long address, int value) {
        return UNSAFE.getAndSetInt(null, address, value);
    }

    static void putIntRelease(long address, int value) {
        UNSAFE.putOrderedInt(null, address, value);
    }

    static void putLongRelease(long address, long value) {
        UNSAFE.putOrderedLong(null, address, value);
    }

    static byte getByteAcquire(long address) {
        return UNSAFE.getByteVolatile(null, address);
    }

    static long getLongAcquire(long address) {
        return UNSAFE.getLongVolatile(null, address);
    }

    static long getLongVolatile(long address) {
        return UNSAFE.getLongVolatile(null, address);
    }

    static void putLongVolatile(long address, long value) {
        UNSAFE.putLongVolatile(null, address, value);
    }

    static int compareAndExchangeInt(long address, int expected, int value) {
        while (true) {
            int found = UNSAFE.getIntVolatile(null, address);
            if (found != expected || UNSAFE.compareAndSwapInt(null, address, expected, value)) {
                return found;
            }
        }
    }

    static long compareAndExchangeLong(long address, long expected, long value) {
        while (true) {
            long found = UNSAFE.getLongVolatile(null, address);
            if (found != expected || UNSAFE.compareAndSwapLong(null, address, expected, value)) {
                return found;
            }
        }
    }

    static long getAndAddLong(long address, long delta) {
        return UNSAFE.getAndAddLong(null, address, delta);
    }

    static long getFrom(long[] array, int index) {
        return UNSAFE.getLong(array, Unsafe.ARRAY_LONG_BASE_OFFSET + ((long) index << 3));
    }

    static void putPairInto(long[] array, int pair, long first, long second) {
        long at = Unsafe.ARRAY_LONG_BASE_OFFSET + ((long) pair << 4);
        UNSAFE.putLong(array, at, first);
        UNSAFE.putLong(array, at + Long.BYTES, second);
    }

    static void fullFence() {
        UNSAFE.fullFence();
    }
}
