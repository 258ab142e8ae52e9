/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.util.internal.CleanableDirectBuffer;

/**
 * A buffer in registered memory, which remains registered when it grows, as long as there is such memory. For JVMs in
 * which Netty does not use Unsafe, such as JDK 24 and later: there Netty does not get the address of a JDK buffer, but
 * this class knows that of its block.
 */
final class RegisteredByteBuf extends UnpooledDirectByteBuf {
    private final BlockPool pool;

    /** The first block; null once it has another one, which the superclass manages. */
    private BlockPool.Block first;

    RegisteredByteBuf(ByteBufAllocator allocator, BlockPool pool, BlockPool.Block first, int maxCapacity) {
        super(allocator, first.buffer(), maxCapacity);
        this.pool = pool;
        this.first = first;
        setIndex(0, 0);
    }

    @Override
    public boolean hasMemoryAddress() {
        return first != null || super.hasMemoryAddress();
    }

    @Override
    public long memoryAddress() {
        if (first == null) {
            return super.memoryAddress();
        }
        ensureAccessible();
        return first.memoryAddress();
    }

    @Override
    public ByteBuf capacity(int newCapacity) {
        int before = capacity();
        super.capacity(newCapacity);
        if (before != newCapacity) {
            releaseFirst();
        }
        return this;
    }

    @Override
    protected CleanableDirectBuffer allocateDirectBuffer(int capacity) {
        BlockPool.Block block = pool.take(capacity);
        return block == null ? super.allocateDirectBuffer(capacity) : block.sliced();
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        releaseFirst();
    }

    private void releaseFirst() {
        if (first != null) {
            first.clean();
            first = null;
        }
    }
}
