/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import io.verbs4j.rdmacore.call.JnaBuffers;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import sun.misc.Unsafe;

/** {@link NativeMemory} by {@code sun.misc.Unsafe}. Apart, as that is not to be loaded where it is not used. */
final class UnsafeMemory {
    private static final Unsafe UNSAFE;
    private static final long ADDRESS_OFFSET;

    static {
        try {
            Field f = Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            UNSAFE = (Unsafe) f.get(null);
            ADDRESS_OFFSET = UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField("address"));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private UnsafeMemory() {}

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

    static void clear(long address, long length) {
        UNSAFE.setMemory(address, length, (byte) 0);
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
