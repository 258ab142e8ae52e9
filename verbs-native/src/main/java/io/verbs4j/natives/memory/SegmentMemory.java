/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import io.verbs4j.natives.foreign.ForeignApi;
import io.verbs4j.natives.foreign.ForeignLinker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * {@link NativeMemory} through the JDK's foreign memory API: one segment spans all of memory, and an address is an
 * offset in it. The handles are {@code static final}, so the compiler treats them as constants.
 */
final class SegmentMemory {
    private static final Class<?> SEGMENT = ForeignApi.SEGMENT;

    /** Declared as {@code Object}, which non-exact handles accept at no cost. */
    private static final Object ALL = all();

    private static final VarHandle INT = ForeignApi.ofValues("JAVA_INT_UNALIGNED");
    private static final VarHandle LONG = ForeignApi.ofValues("JAVA_LONG_UNALIGNED");
    private static final VarHandle ALIGNED_INT = ForeignApi.ofValues("JAVA_INT");
    private static final VarHandle ALIGNED_LONG = ForeignApi.ofValues("JAVA_LONG");

    /**
     * Mask of the bits that an address can have. Masking does not change the address; it lets the compiler see that the
     * address lies within the segment and is aligned, and omit the checks. No user-space address has bit 62 or 63 set.
     */
    private static final long ANY = (1L << 62) - 1;

    /** As {@link #ANY}, for the start of a piece: adding an offset to it stays within that range. */
    private static final long PIECES = (1L << 56) - 1;

    private static final long INTS = ANY & -Integer.BYTES;
    private static final long LONGS = ANY & -Long.BYTES;

    /** {@code void copy(ALL, from, ALL, to, length)}. */
    private static final MethodHandle COPY = copyHandle();

    /**
     * A class of its own, because the embedded device does not use these handles, and the JVM is slow to create one.
     */
    private static final class Narrow {
        static final VarHandle BYTE = ForeignApi.ofValues("JAVA_BYTE");
        static final VarHandle SHORT = ForeignApi.ofValues("JAVA_SHORT_UNALIGNED");
    }

    /** Handles for rare operations; a class of their own. */
    private static final class Seldom {
        /** {@code long addressOf(buffer)}, the address of its position. */
        static final MethodHandle ADDRESS = MethodHandles.filterReturnValue(
                ForeignApi.ofSegment("ofBuffer", MethodType.methodType(SEGMENT, Buffer.class), true),
                ForeignApi.ofSegment("address", MethodType.methodType(long.class), false));

        /** {@code boolean isMapped(buffer)}. */
        static final MethodHandle IS_MAPPED = MethodHandles.filterReturnValue(
                ForeignApi.ofSegment("ofBuffer", MethodType.methodType(SEGMENT, Buffer.class), true),
                ForeignApi.ofSegment("isMapped", MethodType.methodType(boolean.class), false));

        /** {@code ByteBuffer bufferOf(ALL, address, size)}. */
        static final MethodHandle BUFFER = MethodHandles.filterReturnValue(
                        ForeignApi.ofSegment("asSlice", MethodType.methodType(SEGMENT, long.class, long.class), false),
                        ForeignApi.ofSegment("asByteBuffer", MethodType.methodType(ByteBuffer.class), false))
                .asType(MethodType.methodType(ByteBuffer.class, Object.class, long.class, long.class));

        /** {@code void fill(ALL, address, length, value)}. */
        static final MethodHandle FILL = MethodHandles.collectArguments(
                        ForeignApi.ofSegment("fill", MethodType.methodType(SEGMENT, byte.class), false),
                        0,
                        ForeignApi.ofSegment("asSlice", MethodType.methodType(SEGMENT, long.class, long.class), false))
                .asType(MethodType.methodType(void.class, Object.class, long.class, long.class, byte.class));
    }

    /** A class of its own, because the linker is slow to start. */
    private static final class Heap {
        static final boolean LINKED = ForeignLinker.problem() == null;
    }

    /** A buffer and its {@link #isMapped} result. */
    private record Asked(WeakReference<ByteBuffer> buffer, boolean mapped) {}

    private static volatile Asked asked = new Asked(new WeakReference<>(null), false);

    private SegmentMemory() {}

    /** Throws if the API cannot be used. */
    static void use() {
        getLong(address(ByteBuffer.allocateDirect(Long.BYTES)));
    }

    static long allocate(long size) {
        return Heap.LINKED ? NativeHeap.allocate(size) : UnsafeMemory.allocate(size);
    }

    static void free(long address) {
        if (Heap.LINKED) {
            NativeHeap.free(address);
        } else {
            UnsafeMemory.free(address);
        }
    }

    static long address(ByteBuffer buffer) {
        try {
            return (long) Seldom.ADDRESS.invokeExact((Buffer) buffer.duplicate().clear());
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    static ByteBuffer buffer(long address, int size) {
        try {
            return (ByteBuffer) Seldom.BUFFER.invokeExact(ALL, address, (long) size);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    /** Caches the last result, because the query allocates and callers often pass the same buffer again. */
    static boolean isMapped(ByteBuffer buffer) {
        Asked last = asked;
        if (!last.buffer.refersTo(buffer)) {
            last = new Asked(new WeakReference<>(buffer), findMapped(buffer));
            asked = last;
        }
        return last.mapped;
    }

    private static boolean findMapped(ByteBuffer buffer) {
        try {
            return (boolean) Seldom.IS_MAPPED.invokeExact((Buffer) buffer);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    static void fill(long address, long length, byte value) {
        try {
            Seldom.FILL.invokeExact(ALL, address, length, value);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    static void copy(long from, long to, long length) {
        try {
            COPY.invokeExact(ALL, from, ALL, to, length);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    static long piece(long address) {
        return address & PIECES;
    }

    static byte getByte(long address) {
        return (byte) Narrow.BYTE.get(ALL, address & ANY);
    }

    static void putByte(long address, byte value) {
        Narrow.BYTE.set(ALL, address & ANY, value);
    }

    static short getShort(long address) {
        return (short) Narrow.SHORT.get(ALL, address & ANY);
    }

    static void putShort(long address, short value) {
        Narrow.SHORT.set(ALL, address & ANY, value);
    }

    static int getInt(long address) {
        return (int) INT.get(ALL, address & ANY);
    }

    static void putInt(long address, int value) {
        INT.set(ALL, address & ANY, value);
    }

    static long getLong(long address) {
        return (long) LONG.get(ALL, address & ANY);
    }

    static void putLong(long address, long value) {
        LONG.set(ALL, address & ANY, value);
    }

    static int exchangeInt(long address, int value) {
        return (int) ALIGNED_INT.getAndSet(ALL, address & INTS, value);
    }

    static void putIntRelease(long address, int value) {
        ALIGNED_INT.setRelease(ALL, address & INTS, value);
    }

    static void putLongRelease(long address, long value) {
        ALIGNED_LONG.setRelease(ALL, address & LONGS, value);
    }

    static byte getByteAcquire(long address) {
        return (byte) Narrow.BYTE.getAcquire(ALL, address & ANY);
    }

    static long getLongAcquire(long address) {
        return (long) ALIGNED_LONG.getAcquire(ALL, address & LONGS);
    }

    static long getLongVolatile(long address) {
        return (long) ALIGNED_LONG.getVolatile(ALL, address & LONGS);
    }

    static void putLongVolatile(long address, long value) {
        ALIGNED_LONG.setVolatile(ALL, address & LONGS, value);
    }

    static int compareAndExchangeInt(long address, int expected, int value) {
        return (int) ALIGNED_INT.compareAndExchange(ALL, address & INTS, expected, value);
    }

    static long compareAndExchangeLong(long address, long expected, long value) {
        return (long) ALIGNED_LONG.compareAndExchange(ALL, address & LONGS, expected, value);
    }

    static long getAndAddLong(long address, long delta) {
        return (long) ALIGNED_LONG.getAndAdd(ALL, address & LONGS, delta);
    }

    static long getFrom(long[] array, int index) {
        return array[index];
    }

    static void putPairInto(long[] array, int pair, long first, long second) {
        array[2 * pair] = first;
        array[2 * pair + 1] = second;
    }

    static void fullFence() {
        VarHandle.fullFence();
    }

    // ---- reflection

    private static Object all() {
        Object nothing = ForeignApi.constant(SEGMENT, "NULL");
        return ForeignApi.call(ForeignApi.method(SEGMENT, "reinterpret", long.class), nothing, Long.MAX_VALUE);
    }

    private static MethodHandle copyHandle() {
        MethodType type = MethodType.methodType(void.class, SEGMENT, long.class, SEGMENT, long.class, long.class);
        return ForeignApi.ofSegment("copy", type, true)
                .asType(MethodType.methodType(
                        void.class, Object.class, long.class, Object.class, long.class, long.class));
    }
}
