/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;

/** {@link ReceivedByteBuf} for JVMs in which Netty uses Unsafe. */
final class UnsafeReceivedByteBuf extends UnpooledUnsafeDirectByteBuf {
    private final Slab slab;
    private final Slot slot;

    UnsafeReceivedByteBuf(ByteBufAllocator allocator, Slab slab, Slot slot) {
        super(allocator, false, slot.memory, slot.memory.capacity());
        this.slab = slab;
        this.slot = slot;
        setIndex(0, slot.length);
        slab.lend(slot);
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        slot.memory.clear(); // a change of the capacity has moved its position and limit
        slab.giveBack(slot);
    }
}
