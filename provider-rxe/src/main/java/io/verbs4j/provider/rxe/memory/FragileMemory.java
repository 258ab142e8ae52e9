/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.PageSize;
import java.nio.ByteBuffer;

/**
 * Access to a program's memory that survives its going away: pages of a mapped file that was cut short, or that the file
 * system has no room for. The JVM tells of that by an {@link InternalError}, and not where it happens: JDK 17 throws it when
 * the thread next enters the JVM, newer ones at the next safepoint, which compiled code may have only after it has returned
 * to the caller. Memory of which that is known to be possible ({@link MappedMemory}) is therefore accessed with a call into
 * the JVM behind, so that the error comes here and nowhere else. Other memory does not pay for it.
 */
public final class FragileMemory {
    /** Takes what is read only to see whether it is there; what it holds is of no meaning. */
    private static final ByteBuffer PROBED = ByteBuffer.allocateDirect(Long.BYTES);

    private static final long PROBED_ADDRESS = NativeMemory.address(PROBED);

    /** Not a constant: with constants no call into the JVM would be left. */
    private static volatile int none;

    private FragileMemory() {}

    /**
     * Copies, from and to {@link RegionMemory#NOWHERE} too.
     *
     * @param mayGoAway whether that is possible of either side
     * @return false where memory has gone away; part may have been copied
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
            return false; // the latter: no memory for the error that there was, perhaps
        }
    }

    /**
     * Copies between buffers, with their checks; false where memory has gone away.
     *
     * @param foreign the one of the two that may go away
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

    /** Whether all of a range can be read now. */
    public static boolean isReadable(long from, long bytes) {
        return from == RegionMemory.NOWHERE || touch(from, bytes, false);
    }

    /** Has each page of a range come, to be read or to be written; false where it has gone away. What is in it stays. */
    static boolean touch(long from, long bytes, boolean writing) {
        for (long at = from; at - from < bytes; at = (at | PageSize.BYTES - 1) + 1) {
            if (!touch(at, writing)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The same for one page. Each access has its own call into the JVM behind it: compiled code may throw at the end of
     * a loop's turn, and then past the handlers around the loop; and a page that can't be read is not to be written,
     * which can end the JVM.
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

    /** Has the JVM throw here what it has to throw: an array by sizes that it does not know is always made by a call. */
    private static void settle() {
        int[][] made = new int[none][none];
        if (made.length != 0) {
            throw new AssertionError();
        }
    }

    /**
     * Writes 8 bytes at once.
     *
     * @param key key that covers them, pinned
     * @param address where in memory, a multiple of 8
     * @return false where the memory has gone away
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
     * An atomic operation, and what it found. For one thread at a time.
     *
     * <p>The memory is read first, by a call that the JVM guards: it guards a swap only in code that is compiled. Between
     * the two there is a moment in which memory that goes away ends the JVM, until that is so.
     */
    public static final class Atomic {
        private long found;

        /**
         * Carries it out.
         *
         * @param key key that covers the 8 bytes, pinned
         * @param address where in memory, a multiple of 8
         * @param swaps whether to compare and swap, or to fetch and add
         * @param compare what to compare with
         * @param swapAdd what to write or add
         * @return false where the memory has gone away
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
         * Carries out a masked one.
         *
         * @param key key that covers the bytes, pinned
         * @param address where in memory, a multiple of the width
         * @param width bytes: 4 or 8
         * @param swaps whether to compare and swap, or to fetch and add
         * @param swapAdd what to write or add
         * @param compare what to compare with
         * @param swapMask which bits are written
         * @param compareAddMask which bits are compared, or the top bits of fields
         * @return false where the memory has gone away
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
                        settle(); // in each turn, as in touch()
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

        /** What the last one that was carried out found. */
        public long found() {
            return found;
        }
    }
}
