/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;
import io.netty.util.internal.CleanableDirectBuffer;

/** {@link RegisteredByteBuf} for JVMs in which Netty uses Unsafe. */
final class UnsafeRegisteredByteBuf extends UnpooledUnsafeDirectByteBuf {
    private final BlockPool pool;

    /** The first block; null once it has another one, which the superclass manages. */
    private BlockPool.Block first;

    UnsafeRegisteredByteBuf(ByteBufAllocator allocator, BlockPool pool, BlockPool.Block first, int maxCapacity) {
        super(allocator, false, first.buffer(), maxCapacity);
        this.pool = pool;
        this.first = first;
        setIndex(0, 0);
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
