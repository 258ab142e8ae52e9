/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Chunks of equal size in one registered buffer, which save a registration for each transfer. The chunk that was given
 * back last is taken first. All methods may be called from any thread; none waits or allocates.
 */
public final class BulkSlab implements AutoCloseable {
    private static final int NONE = -1;
    private static final int TAKEN = -2;
    private static final long CHUNK = 0xffff_ffffL;

    private final BulkBuffer buffer;
    private final int chunkBytes;

    /** For each chunk: the next one down the stack of free chunks, {@link #NONE} or {@link #TAKEN}. */
    private final AtomicIntegerArray below;

    /** The top of the stack in the lower 32 bits, a change counter in the upper 32. */
    private final AtomicLong top;

    BulkSlab(BulkEndpoint endpoint, int chunkBytes, int chunks) {
        long bytes = (long) chunkBytes * chunks;
        if (chunkBytes < 1 || chunks < 1 || bytes > Integer.MAX_VALUE) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "bulk_slab",
                    chunks + " chunks of " + chunkBytes + " bytes; both must be at least 1, and the total below 2 GiB");
        }
        this.chunkBytes = chunkBytes;
        buffer = endpoint.allocate((int) bytes);
        below = new AtomicIntegerArray(chunks);
        for (int i = 0; i < chunks; i++) {
            below.set(i, i + 1 < chunks ? i + 1 : NONE);
        }
        top = new AtomicLong();
    }

    /** {@return the buffer that contains the chunks} */
    public BulkBuffer buffer() {
        return buffer;
    }

    /** {@return the size of a chunk in bytes} */
    public int chunkBytes() {
        return chunkBytes;
    }

    /**
     * Takes a chunk.
     *
     * @return its offset in the buffer; -1 if no chunk is free
     */
    public int take() {
        while (true) {
            long old = top.get();
            int chunk = (int) old;
            if (chunk == NONE) {
                return -1;
            }
            int next = below.get(chunk);
            if (next != TAKEN && top.compareAndSet(old, changed(old, next))) {
                below.set(chunk, TAKEN);
                return chunk * chunkBytes;
            }
        }
    }

    /**
     * Gives a chunk back.
     *
     * @param offset its offset in the buffer
     * @throws VerbsException {@link Errno#EINVAL} if no taken chunk begins there
     */
    public void give(int offset) {
        int chunk = offset / chunkBytes;
        if (offset < 0
                || offset % chunkBytes != 0
                || chunk >= below.length()
                || !below.compareAndSet(chunk, TAKEN, NONE)) {
            throw new VerbsException(Errno.EINVAL, "bulk_slab", "no allocated chunk begins at " + offset);
        }
        long old;
        do {
            old = top.get();
            below.set(chunk, (int) old);
        } while (!top.compareAndSet(old, changed(old, chunk)));
    }

    private static long changed(long old, int chunk) {
        return (old >>> 32) + 1 << 32 | chunk & CHUNK;
    }

    /**
     * Closes the buffer.
     *
     * @throws VerbsException {@link Errno#EBUSY} as for {@link BulkBuffer#close()}
     */
    @Override
    public void close() {
        buffer.close();
    }
}
