/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** Memory of the embedded device: of the process, but known by its keys alone. */
public final class RxeDeviceMemory {
    /** How much of it a device has, for all programs together. */
    public static final int MOST = 16 << 20;

    private final Pool pool;
    private final ByteBuffer memory;
    private volatile boolean closed;

    /** Regions that are made of it, by all contexts. Guarded by this. */
    private int regions;

    /** How much of a device's memory is in use. */
    public static final class Pool {
        private final AtomicLong used = new AtomicLong();

        /** Makes it, unused. */
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

        /** Bytes in use. */
        public long used() {
            return used.get();
        }
    }

    /** Takes memory, all zeros. */
    public RxeDeviceMemory(Pool pool, int length, int alignment) {
        this.pool = pool;
        if (!pool.take(length)) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "alloc_dm",
                    "the device has " + (MOST - pool.used()) + " of its " + MOST + " bytes left; free some");
        }
        ByteBuffer taken = null;
        try {
            // The JVM aligns to 8 bytes; what is asked for beyond is made of more.
            taken = ByteBuffer.allocateDirect(length + alignment - 1)
                    .alignedSlice(alignment)
                    .slice(0, length);
        } finally {
            if (taken == null) {
                pool.giveBack(length);
            }
        }
        memory = taken;
    }

    /** Length in bytes. */
    public int length() {
        return memory.capacity();
    }

    /** Registers a part of it. */
    public synchronized RxeMemoryRegion register(
            MemoryKeys keys, ProtectionDomain pd, long offset, long length, int access) {
        if (closed) {
            throw new VerbsException(
                    Errno.EINVAL, "reg_dm_mr", "the context that allocated this memory has freed it; allocate other");
        }
        RxeMemoryRegion region = RxeMemoryRegion.of(keys, pd, memory, offset, length, access);
        region.onEnd(this::regionEnds);
        regions++;
        return region;
    }

    private synchronized void regionEnds() {
        regions--;
    }

    int copyTo(long offset, ByteBuffer source, long length) {
        int error = check(offset, source, length);
        return error != 0 ? error : copy(memory, (int) offset, source, source.position(), source.remaining(), source);
    }

    int copyFrom(ByteBuffer target, long offset, long length) {
        int error = check(offset, target, length);
        if (error == 0 && target.isReadOnly()) {
            error = Errno.EINVAL;
        }
        return error != 0 ? error : copy(target, target.position(), memory, (int) offset, target.remaining(), target);
    }

    private int check(long offset, ByteBuffer buffer, long length) {
        if (closed || buffer == null || !buffer.isDirect()) {
            return Errno.EINVAL;
        }
        return offset < 0 || offset > length || buffer.remaining() > length - offset ? Errno.EFAULT : 0;
    }

    private static int copy(ByteBuffer to, int toIndex, ByteBuffer from, int fromIndex, int bytes, ByteBuffer foreign) {
        try {
            return FragileMemory.copy(to, toIndex, from, fromIndex, bytes, foreign) ? 0 : Errno.EFAULT;
        } catch (IndexOutOfBoundsException e) {
            return Errno.EFAULT; // another thread has moved the buffer's limit
        } catch (RuntimeException e) {
            return Errno.EINVAL; // its arena is closed, or another thread's
        }
    }

    /** Gives it back. The library knows the regions of the context that allocated it, and not those of others. */
    public synchronized void free() {
        if (regions > 0) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "free_dm",
                    regions + " region(s) of other contexts are made of the memory; close them first");
        }
        closed = true;
        pool.giveBack(length());
    }
}
