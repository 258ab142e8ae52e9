/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * Allocates direct buffers in registered memory, which {@link VerbsSocketChannel} sends without a copy if they hold 2
 * KiB or more. Any buffer can be written to such a channel; others are copied into registered memory first.
 *
 * <p>The channel holds a buffer that it sends without a copy until the peer has acknowledged the message, which may be
 * after the write has succeeded. A program that keeps its own reference must not change the written bytes until {@link
 * ByteBuf#refCnt()} shows that the channel has released its reference.
 *
 * <p>Buffers above 4 MiB, and those beyond the allocator's limit, are not registered, and so are copied. Heap buffers
 * come from {@link PooledByteBufAllocator#DEFAULT}. May be used by any thread, for any number of channels.
 */
public final class VerbsByteBufAllocator extends AbstractByteBufAllocator implements AutoCloseable {
    private final SharedDevice device;
    private final BlockPool pool;

    /**
     * Makes an allocator for channels whose event loops use the same device.
     *
     * @param options the options of those event loops, for {@link VerbsOptions#device()}; {@link
     *     VerbsOptions#maxMemory()} limits this allocator separately
     * @throws IllegalStateException if no RDMA device can be used; the message says why
     */
    public VerbsByteBufAllocator(VerbsOptions options) {
        super(true);
        device = SharedDevice.acquire(options.device());
        pool = new BlockPool(device, options.maxMemory());
    }

    /** {@return how many bytes are currently registered} */
    public long registeredBytes() {
        return pool.bytes();
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return PooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        BlockPool.Block block = pool.take(initialCapacity);
        return block == null
                ? PooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity)
                : toLeakAwareBuffer(BuffersInPlace.registered(this, pool, block, maxCapacity));
    }

    @Override
    public boolean isDirectBufferPooled() {
        return true;
    }

    /**
     * Stops registering memory, and deregisters it when the last buffer in it is released. Buffers can still be
     * allocated, but without registration.
     */
    @Override
    public void close() {
        if (pool.close()) {
            device.release();
        }
    }
}
