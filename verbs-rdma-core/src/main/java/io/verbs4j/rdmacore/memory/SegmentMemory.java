/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import io.verbs4j.rdmacore.call.NativeHeap;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.InvocationTargetException;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * {@link NativeMemory} by the JDK's foreign memory API: one segment that is all of memory, with an address for an offset. By reflection,
 * as this module is compiled for JDK 17, which lacks it, into {@code static final} handles, which the compiler takes for constants.
 */
final class SegmentMemory {
    private static final String PACKAGE = "java.lang.foreign.";
    private static final Class<?> SEGMENT = type("MemorySegment");

    /** Declared as an object, which is what those handles take at no cost that are not told to be exact. */
    private static final Object ALL = all();

    private static final VarHandle BYTE = layout("JAVA_BYTE");
    private static final VarHandle SHORT = layout("JAVA_SHORT_UNALIGNED");
    private static final VarHandle INT = layout("JAVA_INT_UNALIGNED");
    private static final VarHandle LONG = layout("JAVA_LONG_UNALIGNED");
    private static final VarHandle ALIGNED_INT = layout("JAVA_INT");
    private static final VarHandle ALIGNED_LONG = layout("JAVA_LONG");

    /**
     * What an address may have bits in, which it has: said so that the compiler knows that it lies within the segment, and is aligned, and
     * leaves out what would look. None that a program sees has bit 62 or 63.
     */
    private static final long ANY = (1L << 62) - 1;

    /** As {@link #ANY}, where a piece begins: what is added to it goes no further than that. */
    private static final long PIECES = (1L << 56) - 1;

    private static final long INTS = ANY & -Integer.BYTES;
    private static final long LONGS = ANY & -Long.BYTES;

    /** {@code void copy(ALL, from, ALL, to, length)}. */
    private static final MethodHandle COPY = copyHandle();

    /** Apart, for what is done now and then. */
    private static final class Seldom {
        /** {@code long addressOf(buffer)}, of its position. */
        static final MethodHandle ADDRESS = MethodHandles.filterReturnValue(
                find("ofBuffer", MethodType.methodType(SEGMENT, Buffer.class), true),
                find("address", MethodType.methodType(long.class), false));

        /** {@code ByteBuffer bufferOf(ALL, address, size)}. */
        static final MethodHandle BUFFER = MethodHandles.filterReturnValue(
                        find("asSlice", MethodType.methodType(SEGMENT, long.class, long.class), false),
                        find("asByteBuffer", MethodType.methodType(ByteBuffer.class), false))
                .asType(MethodType.methodType(ByteBuffer.class, Object.class, long.class, long.class));

        /** {@code void fill(ALL, address, length, value)}. */
        static final MethodHandle FILL = MethodHandles.collectArguments(
                        find("fill", MethodType.methodType(SEGMENT, byte.class), false),
                        0,
                        find("asSlice", MethodType.methodType(SEGMENT, long.class, long.class), false))
                .asType(MethodType.methodType(void.class, Object.class, long.class, long.class, byte.class));
    }

    private SegmentMemory() {}

    static long allocate(long size) {
        return NativeHeap.allocate(size);
    }

    static void free(long address) {
        NativeHeap.free(address);
    }

    static long address(ByteBuffer buffer) {
        try {
            return (long) Seldom.ADDRESS.invokeExact((Buffer) buffer.duplicate().clear());
        } catch (Throwable t) {
            throw thrown(t);
        }
    }

    static ByteBuffer buffer(long address, int size) {
        try {
            return (ByteBuffer) Seldom.BUFFER.invokeExact(ALL, address, (long) size);
        } catch (Throwable t) {
            throw thrown(t);
        }
    }

    static void clear(long address, long length) {
        try {
            Seldom.FILL.invokeExact(ALL, address, length, (byte) 0);
        } catch (Throwable t) {
            throw thrown(t);
        }
    }

    static void copy(long from, long to, long length) {
        try {
            COPY.invokeExact(ALL, from, ALL, to, length);
        } catch (Throwable t) {
            throw thrown(t);
        }
    }

    static long piece(long address) {
        return address & PIECES;
    }

    static byte getByte(long address) {
        return (byte) BYTE.get(ALL, address & ANY);
    }

    static void putByte(long address, byte value) {
        BYTE.set(ALL, address & ANY, value);
    }

    static short getShort(long address) {
        return (short) SHORT.get(ALL, address & ANY);
    }

    static void putShort(long address, short value) {
        SHORT.set(ALL, address & ANY, value);
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
        return (byte) BYTE.getAcquire(ALL, address & ANY);
    }

    static long getLongAcquire(long address) {
        return (long) ALIGNED_LONG.getAcquire(ALL, address & LONGS);
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

    private static Class<?> type(String name) {
        try {
            return Class.forName(PACKAGE + name);
        } catch (ClassNotFoundException e) {
            throw new NoClassDefFoundError(PACKAGE + name);
        }
    }

    private static MethodHandle find(String name, MethodType type, boolean isStatic) {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            return isStatic ? lookup.findStatic(SEGMENT, name, type) : lookup.findVirtual(SEGMENT, name, type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(SEGMENT + "." + name, e);
        }
    }

    private static Object all() {
        try {
            Object nothing = SEGMENT.getField("NULL").get(null);
            return SEGMENT.getMethod("reinterpret", long.class).invoke(nothing, Long.MAX_VALUE);
        } catch (InvocationTargetException e) {
            throw thrown(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(SEGMENT + ".reinterpret", e);
        }
    }

    private static VarHandle layout(String name) {
        try {
            Class<?> layout = type("ValueLayout");
            return (VarHandle)
                    layout.getMethod("varHandle").invoke(layout.getField(name).get(null));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }

    private static MethodHandle copyHandle() {
        MethodType type = MethodType.methodType(void.class, SEGMENT, long.class, SEGMENT, long.class, long.class);
        return find("copy", type, true)
                .asType(MethodType.methodType(
                        void.class, Object.class, long.class, Object.class, long.class, long.class));
    }

    /** A method handle that throws nothing of itself has thrown. */
    private static RuntimeException thrown(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return t instanceof RuntimeException exception ? exception : new IllegalStateException(t);
    }
}
