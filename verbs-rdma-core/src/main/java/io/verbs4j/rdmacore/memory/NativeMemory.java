/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import sun.misc.Unsafe;

/**
 * Memory by address: the one place of this module that touches memory that is not a Java object. Nothing here checks: a
 * wrong address ends the JVM.
 *
 * <p>{@code Unsafe} and not JNA, because a load through it costs 2 ns instead of 10. Numbers are in the machine's order
 * unless the name of a method says Net, for network order.
 */
public final class NativeMemory {
    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
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

    private NativeMemory() {}

    /** Allocates memory, all zero; to be given to {@link #free}. The address is a multiple of 16. */
    public static long allocate(long size) {
        long address = UNSAFE.allocateMemory(size);
        UNSAFE.setMemory(address, size, (byte) 0);
        return address;
    }

    /** Frees what {@link #allocate} gave; does nothing for 0. */
    public static void free(long address) {
        UNSAFE.freeMemory(address);
    }

    /** The address of index 0 of a direct buffer; whoever uses it keeps the buffer reachable. */
    public static long address(ByteBuffer buffer) {
        return UNSAFE.getLong(buffer, ADDRESS_OFFSET);
    }

    /** Reads a static field that reflection can name and not read. */
    static Object get(Field field) {
        return UNSAFE.getObject(UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field));
    }

    /** Sets bytes to zero. */
    public static void clear(long address, long length) {
        UNSAFE.setMemory(address, length, (byte) 0);
    }

    /** Reads 8 bits without sign. */
    public static int getByte(long address) {
        return UNSAFE.getByte(address) & 0xff;
    }

    /** Writes the low 8 bits. */
    public static void putByte(long address, int value) {
        UNSAFE.putByte(address, (byte) value);
    }

    /** Reads 16 bits without sign. */
    public static int getShort(long address) {
        return UNSAFE.getShort(address) & 0xffff;
    }

    /** Writes the low 16 bits. */
    public static void putShort(long address, int value) {
        UNSAFE.putShort(address, (short) value);
    }

    /** Reads 32 bits. */
    public static int getInt(long address) {
        return UNSAFE.getInt(address);
    }

    /** Writes 32 bits. */
    public static void putInt(long address, int value) {
        UNSAFE.putInt(address, value);
    }

    /** Reads 64 bits. */
    public static long getLong(long address) {
        return UNSAFE.getLong(address);
    }

    /** Writes 64 bits. */
    public static void putLong(long address, long value) {
        UNSAFE.putLong(address, value);
    }

    /** Reads 16 bits in network order. */
    public static int getNetShort(long address) {
        char value = UNSAFE.getChar(address);
        return LITTLE ? Character.reverseBytes(value) : value;
    }

    /** Writes the low 16 bits in network order. */
    public static void putNetShort(long address, int value) {
        putByte(address, value >>> 8);
        putByte(address + 1, value);
    }

    /** Reads 32 bits in network order. */
    public static int getNetInt(long address) {
        int value = UNSAFE.getInt(address);
        return LITTLE ? Integer.reverseBytes(value) : value;
    }

    /** Writes 32 bits in network order. */
    public static void putNetInt(long address, int value) {
        UNSAFE.putInt(address, LITTLE ? Integer.reverseBytes(value) : value);
    }

    /** Reads 64 bits in network order. */
    public static long getNetLong(long address) {
        return fromNetwork(UNSAFE.getLong(address));
    }

    /** Writes 64 bits in network order. */
    public static void putNetLong(long address, long value) {
        UNSAFE.putLong(address, fromNetwork(value));
    }

    /** Turns 64 bits in network order into a number, and back. */
    public static long fromNetwork(long value) {
        return LITTLE ? Long.reverseBytes(value) : value;
    }

    /** Reads UTF-8 up to a zero byte, or up to so many bytes. */
    public static String getString(long address, int room) {
        byte[] bytes = new byte[room];
        int n = 0;
        while (n < room && (bytes[n] = UNSAFE.getByte(address + n)) != 0) {
            n++;
        }
        return new String(bytes, 0, n, StandardCharsets.UTF_8);
    }

    /** Writes bytes and a zero byte. */
    public static void putString(long address, byte[] text) {
        putBytes(address, text);
        UNSAFE.putByte(address + text.length, (byte) 0);
    }

    /** Reads as many bytes as the array has. */
    public static void getBytes(long address, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = UNSAFE.getByte(address + i);
        }
    }

    /** Writes all bytes of the array. */
    public static void putBytes(long address, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            UNSAFE.putByte(address + i, bytes[i]);
        }
    }

    /** Copies bytes. */
    public static void copy(long from, long to, long length) {
        UNSAFE.copyMemory(from, to, length);
    }

    /** Copies a few bytes by loads and stores, of which the last two may overlap: the call of {@link #copy} costs more. */
    public static void copyFew(long from, long to, int length) {
        int last = length - Long.BYTES;
        if (last >= 0) {
            UNSAFE.putLong(to, UNSAFE.getLong(from));
            if (last > Long.BYTES) {
                copyMiddle(from, to, last);
            }
            UNSAFE.putLong(to + last, UNSAFE.getLong(from + last));
            return;
        }
        for (int i = 0; i < length; i++) {
            UNSAFE.putByte(to + i, UNSAFE.getByte(from + i));
        }
    }

    private static void copyMiddle(long from, long to, int last) {
        for (int i = Long.BYTES; i < last; i += Long.BYTES) {
            UNSAFE.putLong(to + i, UNSAFE.getLong(from + i));
        }
    }

    /** Reads from an array, whose length the caller knows: a wrong index reads elsewhere. */
    public static long getFrom(long[] array, int index) {
        return UNSAFE.getLong(array, Unsafe.ARRAY_LONG_BASE_OFFSET + ((long) index << 3));
    }

    /** Writes to an array, whose length the caller knows: a wrong index writes elsewhere. */
    public static void putInto(long[] array, int index, long value) {
        UNSAFE.putLong(array, Unsafe.ARRAY_LONG_BASE_OFFSET + ((long) index << 3), value);
    }

    // ---- what a device looks at while it is written

    /**
     * Writes 32 bits by an atomic exchange. On x86-64 that is a locked instruction, which the compiler never removes and which
     * what is written before it cannot be delayed behind: the order that a device needs.
     */
    public static void exchangeInt(long address, int value) {
        UNSAFE.getAndSetInt(null, address, value);
    }

    /** Writes 32 bits after everything that was written before; the address is a multiple of 4. */
    public static void putIntRelease(long address, int value) {
        UNSAFE.putOrderedInt(null, address, value);
    }

    /** Writes 64 bits as one store after everything that was written before; the address is a multiple of 8. */
    public static void putLongRelease(long address, long value) {
        UNSAFE.putOrderedLong(null, address, value);
    }

    /** Reads 8 bits, without sign, before everything that is read afterwards. */
    public static int getByteAcquire(long address) {
        return UNSAFE.getByteVolatile(null, address) & 0xff;
    }

    /** Reads 64 bits as one load before everything that is read afterwards; the address is a multiple of 8. */
    public static long getLongAcquire(long address) {
        return UNSAFE.getLongVolatile(null, address);
    }

    /** Lets what was written leave the processor before anything that follows. */
    public static void fullFence() {
        UNSAFE.fullFence();
    }

    /** Turns 32 bits in network order into a number, and back. */
    public static int fromNetwork(int value) {
        return LITTLE ? Integer.reverseBytes(value) : value;
    }
}
