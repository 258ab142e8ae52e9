/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import io.verbs4j.rdmacore.call.NativeBinding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Memory by address: the one place of this module that touches memory that is not a Java object. Nothing here checks: a
 * wrong address ends the JVM.
 *
 * <p>By the JDK's foreign memory API where C is called by its foreign functions, by {@code sun.misc.Unsafe} where C is called by JNA
 * ({@link NativeBinding}); nothing of the one that is not used is loaded. Both compile to the instruction itself. Numbers are in the machine's order
 * unless the name of a method says Net, for network order.
 */
public final class NativeMemory {
    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final boolean FOREIGN = NativeBinding.isForeign();

    private NativeMemory() {}

    /** Allocates memory, all zero; to be given to {@link #free}. The address is a multiple of 16. */
    public static long allocate(long size) {
        return FOREIGN ? SegmentMemory.allocate(size) : UnsafeMemory.allocate(size);
    }

    /** Frees what {@link #allocate} gave; does nothing for 0. */
    public static void free(long address) {
        if (FOREIGN) {
            SegmentMemory.free(address);
        } else {
            UnsafeMemory.free(address);
        }
    }

    /** The address of index 0 of a direct buffer; whoever uses it keeps the buffer reachable. */
    public static long address(ByteBuffer buffer) {
        return FOREIGN ? SegmentMemory.address(buffer) : UnsafeMemory.address(buffer);
    }

    /** A direct buffer over memory that stays allocated as long as the buffer is used; big-endian. */
    public static ByteBuffer buffer(long address, int size) {
        ByteBuffer buffer = FOREIGN ? SegmentMemory.buffer(address, size) : UnsafeMemory.buffer(address, size);
        return buffer.order(ByteOrder.BIG_ENDIAN);
    }

    /** Sets bytes to zero. */
    public static void clear(long address, long length) {
        if (FOREIGN) {
            SegmentMemory.clear(address, length);
        } else {
            UnsafeMemory.clear(address, length);
        }
    }

    /** The same address. Told of where a piece begins, it spares the compiler a look at each address in the piece. */
    public static long piece(long address) {
        return FOREIGN ? SegmentMemory.piece(address) : address;
    }

    /** Reads 8 bits without sign. */
    public static int getByte(long address) {
        return (FOREIGN ? SegmentMemory.getByte(address) : UnsafeMemory.getByte(address)) & 0xff;
    }

    /** Writes the low 8 bits. */
    public static void putByte(long address, int value) {
        if (FOREIGN) {
            SegmentMemory.putByte(address, (byte) value);
        } else {
            UnsafeMemory.putByte(address, (byte) value);
        }
    }

    /** Reads 16 bits without sign. */
    public static int getShort(long address) {
        return (FOREIGN ? SegmentMemory.getShort(address) : UnsafeMemory.getShort(address)) & 0xffff;
    }

    /** Writes the low 16 bits. */
    public static void putShort(long address, int value) {
        if (FOREIGN) {
            SegmentMemory.putShort(address, (short) value);
        } else {
            UnsafeMemory.putShort(address, (short) value);
        }
    }

    /** Reads 32 bits. */
    public static int getInt(long address) {
        return FOREIGN ? SegmentMemory.getInt(address) : UnsafeMemory.getInt(address);
    }

    /** Writes 32 bits. */
    public static void putInt(long address, int value) {
        if (FOREIGN) {
            SegmentMemory.putInt(address, value);
        } else {
            UnsafeMemory.putInt(address, value);
        }
    }

    /** Reads 64 bits. */
    public static long getLong(long address) {
        return FOREIGN ? SegmentMemory.getLong(address) : UnsafeMemory.getLong(address);
    }

    /** Writes 64 bits. */
    public static void putLong(long address, long value) {
        if (FOREIGN) {
            SegmentMemory.putLong(address, value);
        } else {
            UnsafeMemory.putLong(address, value);
        }
    }

    /** Reads 16 bits in network order. */
    public static int getNetShort(long address) {
        char value = (char) getShort(address);
        return LITTLE ? Character.reverseBytes(value) : value;
    }

    /** Writes the low 16 bits in network order. */
    public static void putNetShort(long address, int value) {
        putByte(address, value >>> 8);
        putByte(address + 1, value);
    }

    /** Reads 32 bits in network order. */
    public static int getNetInt(long address) {
        int value = getInt(address);
        return LITTLE ? Integer.reverseBytes(value) : value;
    }

    /** Writes 32 bits in network order. */
    public static void putNetInt(long address, int value) {
        putInt(address, LITTLE ? Integer.reverseBytes(value) : value);
    }

    /** Reads 64 bits in network order. */
    public static long getNetLong(long address) {
        return fromNetwork(getLong(address));
    }

    /** Writes 64 bits in network order. */
    public static void putNetLong(long address, long value) {
        long bytes = LITTLE ? Long.reverseBytes(value) : value;
        if (FOREIGN) {
            SegmentMemory.putLong(address, bytes);
        } else {
            UnsafeMemory.putLong(address, bytes);
        }
    }

    /** Turns 64 bits in network order into a number, and back. */
    public static long fromNetwork(long value) {
        return LITTLE ? Long.reverseBytes(value) : value;
    }

    /** Reads UTF-8 up to a zero byte, or up to so many bytes. */
    public static String getString(long address, int room) {
        byte[] bytes = new byte[room];
        int n = 0;
        while (n < room && (bytes[n] = (byte) getByte(address + n)) != 0) {
            n++;
        }
        return new String(bytes, 0, n, StandardCharsets.UTF_8);
    }

    /** Writes bytes and a zero byte. */
    public static void putString(long address, byte[] text) {
        putBytes(address, text);
        putByte(address + text.length, 0);
    }

    /** Reads as many bytes as the array has. */
    public static void getBytes(long address, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) getByte(address + i);
        }
    }

    /** Writes all bytes of the array. */
    public static void putBytes(long address, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            putByte(address + i, bytes[i]);
        }
    }

    /** Copies bytes. */
    public static void copy(long from, long to, long length) {
        if (FOREIGN) {
            SegmentMemory.copy(from, to, length);
        } else {
            UnsafeMemory.copy(from, to, length);
        }
    }

    /** Copies a few bytes by loads and stores, of which the last two may overlap: the call of {@link #copy} costs more. */
    public static void copyFew(long from, long to, int length) {
        int last = length - Long.BYTES;
        if (last >= 0) {
            putLong(to, getLong(from));
            if (last > Long.BYTES) {
                copyMiddle(from, to, last);
            }
            putLong(to + last, getLong(from + last));
            return;
        }
        for (int i = 0; i < length; i++) {
            putByte(to + i, getByte(from + i));
        }
    }

    private static void copyMiddle(long from, long to, int last) {
        for (int i = Long.BYTES; i < last; i += Long.BYTES) {
            putLong(to + i, getLong(from + i));
        }
    }

    /** Reads from an array, whose length the caller knows: a wrong index may read elsewhere. */
    public static long getFrom(long[] array, int index) {
        return FOREIGN ? SegmentMemory.getFrom(array, index) : UnsafeMemory.getFrom(array, index);
    }

    /** Writes a pair to an array of pairs, whose number the caller knows: a wrong one may be written elsewhere. */
    public static void putPairInto(long[] array, int pair, long first, long second) {
        if (FOREIGN) {
            SegmentMemory.putPairInto(array, pair, first, second);
        } else {
            UnsafeMemory.putPairInto(array, pair, first, second);
        }
    }

    // ---- what a device looks at while it is written

    /**
     * Writes 32 bits by an atomic exchange. On x86-64 that is a locked instruction, which the compiler never removes and which
     * what is written before it cannot be delayed behind: the order that a device needs.
     */
    public static void exchangeInt(long address, int value) {
        if (FOREIGN) {
            SegmentMemory.exchangeInt(address, value);
        } else {
            UnsafeMemory.exchangeInt(address, value);
        }
    }

    /** Writes 32 bits after everything that was written before; the address is a multiple of 4. */
    public static void putIntRelease(long address, int value) {
        if (FOREIGN) {
            SegmentMemory.putIntRelease(address, value);
        } else {
            UnsafeMemory.putIntRelease(address, value);
        }
    }

    /** Writes 64 bits as one store after everything that was written before; the address is a multiple of 8. */
    public static void putLongRelease(long address, long value) {
        if (FOREIGN) {
            SegmentMemory.putLongRelease(address, value);
        } else {
            UnsafeMemory.putLongRelease(address, value);
        }
    }

    /** Reads 8 bits, without sign, before everything that is read afterwards. */
    public static int getByteAcquire(long address) {
        return (FOREIGN ? SegmentMemory.getByteAcquire(address) : UnsafeMemory.getByteAcquire(address)) & 0xff;
    }

    /** Reads 64 bits as one load before everything that is read afterwards; the address is a multiple of 8. */
    public static long getLongAcquire(long address) {
        return FOREIGN ? SegmentMemory.getLongAcquire(address) : UnsafeMemory.getLongAcquire(address);
    }

    /** Lets what was written leave the processor before anything that follows. */
    public static void fullFence() {
        if (FOREIGN) {
            SegmentMemory.fullFence();
        } else {
            UnsafeMemory.fullFence();
        }
    }

    /** Turns 32 bits in network order into a number, and back. */
    public static int fromNetwork(int value) {
        return LITTLE ? Integer.reverseBytes(value) : value;
    }
}
