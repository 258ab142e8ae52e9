/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.util.internal.CleanableDirectBuffer;

/**
 * A message in the slot that it was received into. The slot returns to the slab when the program releases the buffer.
 * For JVMs in which Netty does not use Unsafe, see {@link RegisteredByteBuf}.
 */
final class ReceivedByteBuf extends UnpooledDirectByteBuf {
    private final Slab slab;
    private final Slot slot;

    /** Whether the program has changed the capacity, which moves the bytes to ordinary memory. */
    private boolean moved;

    ReceivedByteBuf(ByteBufAllocator allocator, Slab slab, Slot slot) {
        super(allocator, slot.memory, slot.memory.capacity());
        this.slab = slab;
        this.slot = slot;
        setIndex(0, slot.length);
        slab.lend(slot);
    }

    @Override
    public boolean hasMemoryAddress() {
        return !moved || super.hasMemoryAddress();
    }

    @Override
    public long memoryAddress() {
        if (moved) {
            return super.memoryAddress();
        }
        ensureAccessible();
        return slot.address;
    }

    @Override
    protected CleanableDirectBuffer allocateDirectBuffer(int capacity) {
        CleanableDirectBuffer memory = super.allocateDirectBuffer(capacity);
        moved = true;
        return memory;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        slab.giveBack(slot);
    }
}
