/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Memory by address: the only class that accesses memory outside the Java heap. Nothing here is checked: a wrong
 * address ends the JVM. Callers own the memory or hold an object that keeps it allocated.
 *
 * <p>Uses the JDK's foreign memory API if it is present and allowed, otherwise {@code sun.misc.Unsafe}
 * ({@link MemoryAccess}). It uses no native library, so the embedded device runs wherever a JVM does. Nothing of the
 * unused way is loaded. Both compile to the bare instruction. Numbers are in native byte order, except in methods with
 * Net in their name, which use network byte order.
 */
// More than 30 public methods because each width, order and kind of access to memory is one.
public final class NativeMemory {
    /** Most bytes copied or set at a time: the JVM cannot stop for a garbage collection during such a step. */
    private static final long COPY_CHUNK = 1 << 20;

    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final boolean FOREIGN = MemoryAccess.isForeign();

    private NativeMemory() {}

    /** Allocates memory, all zero, at a multiple of 16; release it with {@link #free}. */
    public static long allocate(long size) {
        return FOREIGN ? SegmentMemory.allocate(size) : UnsafeMemory.allocate(size);
    }

    /** Frees memory from {@link #allocate}; does nothing for 0. */
    public static void free(long address) {
        if (FOREIGN) {
            SegmentMemory.free(address);
        } else {
            UnsafeMemory.free(address);
        }
    }

    /** {@return the address of index 0 of a direct buffer; the caller keeps the buffer reachable} */
    public static long address(ByteBuffer buffer) {
        return FOREIGN ? SegmentMemory.address(buffer) : UnsafeMemory.address(buffer);
    }

    /** {@return whether a direct buffer maps a file; true if the JVM does not reveal it} */
    public static boolean isMapped(ByteBuffer buffer) {
        return FOREIGN ? SegmentMemory.isMapped(buffer) : UnsafeMemory.isMapped(buffer);
    }

    /**
     * {@return whether {@code ByteBuffer.allocateDirect} made a direct buffer's memory; false if unknown, as always
     * with the foreign memory API}
     */
    public static boolean isAllocated(ByteBuffer buffer) {
        return !FOREIGN && UnsafeMemory.isAllocated(buffer);
    }

    /** Allocates a direct buffer of zeros whose address is a multiple of {@code alignment}, a power of two. */
    public static ByteBuffer allocateDirect(int length, int alignment) {
        ByteBuffer all = ByteBuffer.allocateDirect(length + alignment - 1); // the JVM aligns to 8 bytes
        int from = (int) (-address(all) & alignment - 1);
        return all.slice(from, length); // not alignedSlice, which also trims the end
    }

    /** {@return a big-endian direct buffer over memory that must stay allocated as long as the buffer is used} */
    public static ByteBuffer buffer(long address, int size) {
        ByteBuffer buffer = FOREIGN ? SegmentMemory.buffer(address, size) : UnsafeMemory.buffer(address, size);
        return buffer.order(ByteOrder.BIG_ENDIAN);
    }

    /** Sets bytes to zero. */
    public static void clear(long address, long length) {
        fill(address, length, (byte) 0);
    }

    /** Sets bytes to a value. */
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

    /**
     * Returns the address unchanged. Calling it for the start of a piece of memory spares the compiler the range check
     * of each address within the piece.
     */
    public static long piece(long address) {
        return FOREIGN ? SegmentMemory.piece(address) : address;
    }

    /** Reads 8 bits, unsigned. */
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

    /** Reads 16 bits, unsigned. */
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

    /** Reads 16 bits in network order, unsigned. */
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
        putLong(address, fromNetwork(value));
    }

    /** Converts 64 bits between network order and native order. */
    public static long fromNetwork(long value) {
        return LITTLE ? Long.reverseBytes(value) : value;
    }

    /** Reads UTF-8 up to a zero byte or {@code room} bytes. */
    public static String getString(long address, int room) {
        byte[] bytes = new byte[room];
        int n = 0;
        while (n < room && (bytes[n] = (byte) getByte(address + n)) != 0) {
            n++;
        }
        return new String(bytes, 0, n, StandardCharsets.UTF_8);
    }

    /** Writes bytes and a terminating zero byte. */
    public static void putString(long address, byte[] text) {
        putBytes(address, text);
        putByte(address + text.length, 0);
    }

    /** Fills the array with bytes from memory. */
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

    /** Copies bytes; ranges longer than a MiB must not overlap unless they are the same. */
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

    /**
     * Copies a few bytes by loads and stores, the last two of which may overlap; a call of {@link #copy} costs more.
     */
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

    /** Reads an array element without a bounds check: a wrong index may read other memory. */
    public static long getFrom(long[] array, int index) {
        return FOREIGN ? SegmentMemory.getFrom(array, index) : UnsafeMemory.getFrom(array, index);
    }

    /** Writes a pair to an array of pairs without a bounds check: a wrong index may overwrite other memory. */
    public static void putPairInto(long[] array, int pair, long first, long second) {
        if (FOREIGN) {
            SegmentMemory.putPairInto(array, pair, first, second);
        } else {
            UnsafeMemory.putPairInto(array, pair, first, second);
        }
    }

    // ---- memory that other threads read while it is written

    /** Writes 64 bits atomically, after all earlier writes; the address is a multiple of 8. */
    public static void putLongVolatile(long address, long value) {
        if (FOREIGN) {
            SegmentMemory.putLongVolatile(address, value);
        } else {
            UnsafeMemory.putLongVolatile(address, value);
        }
    }

    /** Reads 64 bits atomically, before all later reads; the address is a multiple of 8. */
    public static long getLongVolatile(long address) {
        return FOREIGN ? SegmentMemory.getLongVolatile(address) : UnsafeMemory.getLongVolatile(address);
    }

    /** As {@link #compareAndExchangeLong}, for 32 bits; the address is a multiple of 4. */
    public static int compareAndExchangeInt(long address, int expected, int value) {
        return FOREIGN
                ? SegmentMemory.compareAndExchangeInt(address, expected, value)
                : UnsafeMemory.compareAndExchangeInt(address, expected, value);
    }

    /** Adds to 64 bits atomically and returns the old value; the address is a multiple of 8. */
    public static long getAndAddLong(long address, long delta) {
        return FOREIGN ? SegmentMemory.getAndAddLong(address, delta) : UnsafeMemory.getAndAddLong(address, delta);
    }

    /** Compares and swaps 64 bits atomically and returns the old value; the address is a multiple of 8. */
    public static long compareAndExchangeLong(long address, long expected, long value) {
        return FOREIGN
                ? SegmentMemory.compareAndExchangeLong(address, expected, value)
                : UnsafeMemory.compareAndExchangeLong(address, expected, value);
    }

    // ---- memory that a device reads while it is written

    /**
     * Writes 32 bits by an atomic exchange. On x86-64 that is a locked instruction, which the compiler never removes
     * and which no earlier write can be delayed past: the order that a device needs.
     */
    public static void exchangeInt(long address, int value) {
        if (FOREIGN) {
            SegmentMemory.exchangeInt(address, value);
        } else {
            UnsafeMemory.exchangeInt(address, value);
        }
    }

    /** Writes 32 bits after all earlier writes; the address is a multiple of 4. */
    public static void putIntRelease(long address, int value) {
        if (FOREIGN) {
            SegmentMemory.putIntRelease(address, value);
        } else {
            UnsafeMemory.putIntRelease(address, value);
        }
    }

    /** Writes 64 bits as one store, after all earlier writes; the address is a multiple of 8. */
    public static void putLongRelease(long address, long value) {
        if (FOREIGN) {
            SegmentMemory.putLongRelease(address, value);
        } else {
            UnsafeMemory.putLongRelease(address, value);
        }
    }

    /** Reads 8 bits, unsigned, before all later reads. */
    public static int getByteAcquire(long address) {
        return (FOREIGN ? SegmentMemory.getByteAcquire(address) : UnsafeMemory.getByteAcquire(address)) & 0xff;
    }

    /** Reads 64 bits as one load, before all later reads; the address is a multiple of 8. */
    public static long getLongAcquire(long address) {
        return FOREIGN ? SegmentMemory.getLongAcquire(address) : UnsafeMemory.getLongAcquire(address);
    }

    /** Orders all earlier accesses, including stores, before all later ones. */
    public static void fullFence() {
        if (FOREIGN) {
            SegmentMemory.fullFence();
        } else {
            UnsafeMemory.fullFence();
        }
    }

    /** Converts 32 bits between network order and native order. */
    public static int fromNetwork(int value) {
        return LITTLE ? Integer.reverseBytes(value) : value;
    }
}
