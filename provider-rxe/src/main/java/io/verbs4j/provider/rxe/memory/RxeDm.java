/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** Memory of the embedded device: ordinary memory of this process, but accessible through its keys only. */
public final class RxeDm {
    /** Number of bytes a device has, for all programs together. */
    public static final int MOST = 16 << 20;

    /** Null if it is memory of another process. */
    private final Pool pool;

    /** Null if it is memory of another process. */
    private final ByteBuffer memory;

    /** The other process's memory, or null. */
    private final Foreign foreign;

    private final int length;
    private volatile boolean closed;

    /** Number of regions registered in it, by all contexts. Guarded by this. */
    private int regions;

    /** The table, and the number in it, by which other processes find it; null if they can't. */
    private ExportTable exports;

    private int exportNumber;

    /** Memory of another process's device. */
    public interface Foreign {
        /** {@return the means to access it} */
        ForeignMemory memory();

        /** {@return its address in that process} */
        long address();

        /** Keeps it until {@link #release}; returns false if it is gone. */
        boolean hold();

        /** Undoes a {@link #hold}. */
        void release();

        /**
         * Copies to it.
         *
         * @return 0 or an errno
         */
        int put(long offset, ByteBuffer source);

        /**
         * Copies from it.
         *
         * @return 0 or an errno
         */
        int get(ByteBuffer target, long offset);
    }

    /** Counts how much of a device's memory is in use. */
    public static final class Pool {
        private final AtomicLong used = new AtomicLong();

        /** Creates an unused pool. */
        public Pool() {}

        private boolean take(long bytes) {
            long now = used.get();
            while (now + bytes <= MOST) {
                if (used.compareAndSet(now, now + bytes)) {
                    return true;
                }
                now = used.get();
            }
            return false;
        }

        private void giveBack(long bytes) {
            used.getAndAdd(-bytes);
        }

        /** {@return the number of bytes in use} */
        public long used() {
            return used.get();
        }
    }

    /** Allocates memory, filled with zeros. */
    public RxeDm(Pool pool, int length, int alignment) {
        this.pool = pool;
        this.length = length;
        this.foreign = null;
        if (!pool.take(length)) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "alloc_dm",
                    "the device has " + (MOST - pool.used()) + " of its " + MOST + " bytes left; free some");
        }
        ByteBuffer taken = null;
        try {
            taken = NativeMemory.allocateDirect(length, alignment);
        } finally {
            if (taken == null) {
                pool.giveBack(length);
            }
        }
        memory = taken;
    }

    /** Creates a stand-in for memory that another process has allocated. */
    public RxeDm(Foreign foreign, int length) {
        this.pool = null;
        this.memory = null;
        this.foreign = foreign;
        this.length = length;
    }

    /** {@return the length in bytes} */
    public int length() {
        return length;
    }

    /** Exports it to other processes, unless it has been freed; they lose it when it is freed. */
    synchronized void export(ExportTable table, int number) {
        if (!closed) {
            exports = table;
            exportNumber = number;
            table.put(number, ExportTable.Entry.ofDeviceMemory(NativeMemory.address(memory), length));
        }
    }

    /** Registers a part of it. */
    public synchronized RxeMr register(MemoryKeys keys, ProtectionDomain pd, long offset, long bytes, int access) {
        if (foreign != null) {
            return registerForeign(keys, pd, offset, bytes, access);
        }
        if (closed) {
            throw gone();
        }
        RxeMr region = RxeMr.of(keys, pd, memory, offset, bytes, access);
        region.onEnd(this::regionEnds);
        regions++;
        return region;
    }

    private static VerbsException gone() {
        return new VerbsException(
                Errno.EINVAL, "reg_dm_mr", "the context that allocated this memory has freed it; allocate new memory");
    }

    private RxeMr registerForeign(MemoryKeys keys, ProtectionDomain pd, long offset, long bytes, int access) {
        if ((access & AccessFlags.REMOTE_ATOMIC) != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "reg_dm_mr",
                    "memory of another process can't be changed atomically; leave REMOTE_ATOMIC out, or have its owner"
                            + " register it");
        }
        if (!foreign.hold()) {
            throw gone();
        }
        RxeMr region = null;
        try {
            region = RxeMr.of(keys, pd, foreign.memory(), foreign.address() + offset, bytes, access);
        } finally {
            if (region == null) {
                foreign.release();
            }
        }
        region.onEnd(foreign::release);
        return region;
    }

    private synchronized void regionEnds() {
        regions--;
    }

    int copyTo(long offset, ByteBuffer source, long most) {
        int error = check(offset, source, most);
        if (error == 0 && foreign != null) {
            return foreign.put(offset, source);
        }
        return error != 0 ? error : copy(memory, (int) offset, source, source.position(), source.remaining(), source);
    }

    int copyFrom(ByteBuffer target, long offset, long most) {
        int error = check(offset, target, most);
        if (error == 0 && target.isReadOnly()) {
            error = Errno.EINVAL;
        }
        if (error == 0 && foreign != null) {
            return foreign.get(target, offset);
        }
        return error != 0 ? error : copy(target, target.position(), memory, (int) offset, target.remaining(), target);
    }

    private int check(long offset, ByteBuffer buffer, long most) {
        if (closed || buffer == null || !buffer.isDirect()) {
            return Errno.EINVAL;
        }
        return offset < 0 || offset > most || buffer.remaining() > most - offset ? Errno.EFAULT : 0;
    }

    /**
     * Copies between two buffers, one of which belongs to the program.
     *
     * @param foreign the program's buffer
     * @return 0 or an errno
     */
    public static int copy(ByteBuffer to, int toIndex, ByteBuffer from, int fromIndex, int bytes, ByteBuffer foreign) {
        try {
            return FragileMemory.copy(to, toIndex, from, fromIndex, bytes, foreign) ? 0 : Errno.EFAULT;
        } catch (IndexOutOfBoundsException e) {
            return Errno.EFAULT; // another thread has moved the buffer's limit
        } catch (RuntimeException e) {
            return Errno.EINVAL; // its arena is closed or belongs to another thread
        }
    }

    /**
     * Frees the memory. Checks for regions here, because the library knows only those of the context that allocated it.
     */
    public synchronized void free() {
        if (regions > 0) {
            throw new VerbsException(
                    Errno.EBUSY, "free_dm", regions + " region(s) of other contexts use the memory; close them first");
        }
        if (exports != null) {
            exports.end("free_dm", exportNumber);
        }
        closed = true;
        pool.giveBack(length());
    }
}
