/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.PageSize;
import java.nio.ByteBuffer;

/**
 * Accesses memory that may go away: pages of a mapped file that was truncated, or for which the file system has no
 * room. The JVM reports this by an {@link InternalError}, but not at the access: JDK 17 throws it when the thread next
 * enters the JVM, newer ones at the next safepoint, which compiled code may reach only after it has returned to the
 * caller. Access to memory that may go away ({@link MappedMemory}) is therefore followed by a call into the JVM, which
 * makes the error appear here and nowhere else. Other memory does not pay for this.
 */
public final class FragileMemory {
    /** Receives bytes that are read only as a probe; its contents have no meaning. */
    private static final ByteBuffer PROBED = ByteBuffer.allocateDirect(Long.BYTES);

    private static final long PROBED_ADDRESS = NativeMemory.address(PROBED);

    /** Not a constant, which would let the compiler remove the call into the JVM. */
    private static volatile int none;

    private FragileMemory() {}

    /**
     * Copies memory; either side may be {@link RegionMemory#NOWHERE}.
     *
     * @param mayGoAway whether either side may go away
     * @return false if memory has gone away; part may have been copied
     */
    public static boolean copy(long from, long to, long bytes, boolean mayGoAway) {
        try {
            if (to == RegionMemory.NOWHERE) {
                return true;
            }
            if (from == RegionMemory.NOWHERE) {
                NativeMemory.fill(to, bytes, (byte) 0);
            } else {
                NativeMemory.copy(from, to, bytes);
            }
            if (mayGoAway) {
                settle();
            }
            return true;
        } catch (InternalError | OutOfMemoryError e) {
            return false; // the latter perhaps because there was no memory for the InternalError
        }
    }

    /**
     * Copies between buffers, with their bounds checks; returns false if memory has gone away.
     *
     * @param foreign the buffer of the two that may go away
     */
    static boolean copy(ByteBuffer to, int toIndex, ByteBuffer from, int fromIndex, int bytes, ByteBuffer foreign) {
        try {
            to.put(toIndex, from, fromIndex, bytes);
            if (NativeMemory.isMapped(foreign)) {
                settle();
            }
            return true;
        } catch (InternalError | OutOfMemoryError e) {
            return false;
        }
    }

    /** Returns whether all of a range can be read now. */
    public static boolean isReadable(long from, long bytes) {
        return from == RegionMemory.NOWHERE || touch(from, bytes, false);
    }

    /**
     * Faults in each page of a range for reading or writing, without changing its contents; returns false if the memory
     * has gone away.
     */
    static boolean touch(long from, long bytes, boolean writing) {
        for (long at = from; at - from < bytes; at = (at | PageSize.BYTES - 1) + 1) {
            if (!touch(at, writing)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Faults in one page. Each access is followed by a call into the JVM: compiled code may throw at the end of a loop
     * iteration, outside the handlers around the loop, and writing to a page that can't be read can end the JVM.
     */
    private static boolean touch(long at, boolean writing) {
        try {
            NativeMemory.copy(at, PROBED_ADDRESS, 1);
            settle();
            if (writing) {
                NativeMemory.getAndAddLong(at & -Long.BYTES, 0);
                settle();
            }
            return true;
        } catch (InternalError | OutOfMemoryError e) {
            return false;
        }
    }

    /**
     * Makes the JVM throw a pending error here: an array whose dimensions are unknown to the compiler is always
     * allocated by a call.
     */
    private static void settle() {
        int[][] made = new int[none][none];
        if (made.length != 0) {
            throw new AssertionError();
        }
    }

    /**
     * Writes 8 bytes atomically.
     *
     * @param key key that covers the bytes, pinned
     * @param address address in memory, a multiple of 8
     * @return false if the memory has gone away
     */
    public static boolean write(MemoryKey key, long address, long value) {
        try {
            if (key.mayGoAway() && !isReadable(address, Long.BYTES)) {
                return false;
            }
            NativeMemory.putLongVolatile(address, value);
            if (key.mayGoAway()) {
                settle();
            }
            return true;
        } catch (InternalError | OutOfMemoryError e) {
            return false;
        }
    }

    /**
     * An atomic operation and the value it found. For one thread at a time.
     *
     * <p>The memory is read first, by a call that the JVM guards; a swap is guarded only in compiled code. Until the
     * code is compiled, memory that goes away between the two ends the JVM.
     */
    public static final class Atomic {
        private long found;

        /**
         * Executes the operation.
         *
         * @param key key that covers the 8 bytes, pinned
         * @param address address in memory, a multiple of 8
         * @param swaps true for compare and swap, false for fetch and add
         * @param compare value to compare with
         * @param swapAdd value to write or add
         * @return false if the memory has gone away
         */
        public boolean execute(MemoryKey key, long address, boolean swaps, long compare, long swapAdd) {
            try {
                if (key.mayGoAway() && !isReadable(address, Long.BYTES)) {
                    return false;
                }
                found = swaps
                        ? NativeMemory.compareAndExchangeLong(address, compare, swapAdd)
                        : NativeMemory.getAndAddLong(address, swapAdd);
                if (key.mayGoAway()) {
                    settle();
                }
                return true;
            } catch (InternalError | OutOfMemoryError e) {
                return false;
            }
        }

        /**
         * Executes a masked operation.
         *
         * @param key key that covers the bytes, pinned
         * @param address address in memory, a multiple of the width
         * @param width number of bytes, 4 or 8
         * @param swaps true for compare and swap, false for fetch and add
         * @param swapAdd value to write or add
         * @param compare value to compare with
         * @param swapMask the bits to write
         * @param compareAddMask the bits to compare, or the top bits of the fields
         * @return false if the memory has gone away
         */
        public boolean execute(
                MemoryKey key,
                long address,
                int width,
                boolean swaps,
                long swapAdd,
                long compare,
                long swapMask,
                long compareAddMask) {
            try {
                if (key.mayGoAway() && !isReadable(address, width)) {
                    return false;
                }
                boolean wide = width == Long.BYTES;
                long compared = wide ? compareAddMask : Integer.toUnsignedLong((int) compareAddMask);
                long before =
                        wide ? NativeMemory.getLong(address) : Integer.toUnsignedLong(NativeMemory.getInt(address));
                while (true) {
                    long after = swaps
                            ? MaskedValue.compareAndSwap(before, compare, compared, swapAdd, swapMask)
                            : MaskedValue.add(before, swapAdd, compared);
                    long now = wide
                            ? NativeMemory.compareAndExchangeLong(address, before, after)
                            : Integer.toUnsignedLong(
                                    NativeMemory.compareAndExchangeInt(address, (int) before, (int) after));
                    if (now == before) {
                        break;
                    }
                    if (key.mayGoAway()) {
                        settle(); // in each iteration, as in touch()
                    }
                    before = now;
                }
                found = before;
                if (key.mayGoAway()) {
                    settle();
                }
                return true;
            } catch (InternalError | OutOfMemoryError e) {
                return false;
            }
        }

        /** {@return the value that the last executed operation found} */
        public long found() {
            return found;
        }
    }
}
