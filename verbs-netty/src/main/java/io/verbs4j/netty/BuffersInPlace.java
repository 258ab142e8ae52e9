/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.internal.PlatformDependent;

/** Makes Netty buffers of registered memory, of the class that is faster in this JVM. */
final class BuffersInPlace {
    private static final boolean UNSAFE = PlatformDependent.hasUnsafe();

    private BuffersInPlace() {}

    /** Makes an empty buffer from a block of a pool. */
    static ByteBuf registered(ByteBufAllocator allocator, BlockPool pool, BlockPool.Block block, int maxCapacity) {
        return UNSAFE
                ? new UnsafeRegisteredByteBuf(allocator, pool, block, maxCapacity)
                : new RegisteredByteBuf(allocator, pool, block, maxCapacity);
    }

    /** Makes a buffer from the message in a slot. */
    static ByteBuf received(ByteBufAllocator allocator, Slab slab, Slot slot) {
        return UNSAFE ? new UnsafeReceivedByteBuf(allocator, slab, slot) : new ReceivedByteBuf(allocator, slab, slot);
    }
}
