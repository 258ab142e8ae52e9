/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.util.internal.CleanableDirectBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Registered memory for the program's buffers, in blocks whose sizes are powers of two. Returned blocks are reused.
 * Memory is deregistered after the pool is closed and its last block is returned. May be used by any thread.
 */
final class BlockPool {
    private static final int MIN_SHIFT = 8;
    private static final int MAX_SHIFT = 22;
    private static final int CHUNK = 1 << 20;

    private final SharedDevice device;
    private final long maxBytes;
    private final List<ArrayDeque<Block>> free = new ArrayList<>();
    private final List<Chunk> chunks = new ArrayList<>();

    /** Guarded by {@link #chunks}, like {@link #closed}; each list in {@link #free} guards itself. */
    private long bytes;

    private volatile boolean closed;

    BlockPool(SharedDevice device, long maxBytes) {
        this.device = device;
        this.maxBytes = maxBytes;
        for (int shift = MIN_SHIFT; shift <= MAX_SHIFT; shift++) {
            free.add(new ArrayDeque<>());
        }
    }

    /** {@return a block of that many bytes; null if that is too large or the pool has reached its limit} */
    Block take(int capacity) {
        int shift = Math.max(MIN_SHIFT, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, capacity - 1)));
        if (shift > MAX_SHIFT || closed) {
            return null;
        }
        ArrayDeque<Block> blocks = free.get(shift - MIN_SHIFT);
        Block block = poll(blocks);
        if (block == null && grow(blocks, shift)) {
            block = poll(blocks);
        }
        if (block != null) {
            block.chunk.retain();
            block.view = block.memory.clear().limit(capacity);
        }
        return block;
    }

    private static Block poll(ArrayDeque<Block> blocks) {
        synchronized (blocks) {
            return blocks.pollLast();
        }
    }

    private boolean grow(ArrayDeque<Block> blocks, int shift) {
        int size = Math.max(CHUNK, 1 << shift);
        synchronized (chunks) {
            if (closed || bytes + size > maxBytes) {
                return false;
            }
            Chunk chunk = new Chunk(device, size);
            bytes += size;
            chunks.add(chunk);
            synchronized (blocks) {
                for (int offset = 0; offset < size; offset += 1 << shift) {
                    blocks.addLast(new Block(blocks, chunk, chunk.slice(offset, 1 << shift), chunk.address() + offset));
                }
            }
        }
        return true;
    }

    /** {@return how many bytes are registered} */
    long bytes() {
        synchronized (chunks) {
            return bytes;
        }
    }

    /** {@return whether the pool was open} */
    boolean close() {
        synchronized (chunks) {
            boolean was = !closed;
            closed = true;
            bytes = 0;
            chunks.forEach(Chunk::release);
            chunks.clear();
            return was;
        }
    }

    /** A part of a chunk. */
    static final class Block implements CleanableDirectBuffer {
        private final ArrayDeque<Block> home;
        private final Chunk chunk;
        private final ByteBuffer memory;
        private final long address;

        /**
         * The buffer that Netty sees; the memory itself, limited to the capacity, unless {@link #sliced()} was called.
         */
        private ByteBuffer view;

        Block(ArrayDeque<Block> home, Chunk chunk, ByteBuffer memory, long address) {
            this.home = home;
            this.chunk = chunk;
            this.memory = memory;
            this.address = address;
        }

        /** {@return this block, with a buffer of exactly its capacity} */
        Block sliced() {
            view = view.slice();
            return this;
        }

        @Override
        public ByteBuffer buffer() {
            return view;
        }

        @Override
        public boolean hasMemoryAddress() {
            return true;
        }

        @Override
        public long memoryAddress() {
            return address;
        }

        @Override
        public void clean() {
            synchronized (home) {
                home.addLast(this);
            }
            chunk.release();
        }
    }
}
