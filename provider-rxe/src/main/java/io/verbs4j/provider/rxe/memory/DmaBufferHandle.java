/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.DmaBuffer;
import io.verbs4j.ProtectionDomain;
import java.nio.ByteBuffer;

/** A buffer that the embedded device has allocated. */
public final class DmaBufferHandle extends DmaBuffer {
    private final ByteBuffer memory;

    private DmaBufferHandle(ProtectionDomain pd, ByteBuffer memory) {
        super(pd, Memory.address(memory), memory.capacity());
        this.memory = memory;
    }

    /**
     * Allocates it.
     *
     * @param length length in bytes, at most {@link Integer#MAX_VALUE} less the alignment
     * @param alignment what its address is a multiple of, a power of two
     * @throws OutOfMemoryError where the JVM has no direct memory for it
     */
    public static DmaBufferHandle allocate(ProtectionDomain pd, int length, int alignment) {
        ByteBuffer all = ByteBuffer.allocateDirect(length + alignment - 1);
        int from = (int) (-Memory.address(all) & alignment - 1);
        return new DmaBufferHandle(pd, all.slice(from, length));
    }

    @Override
    protected ByteBuffer memory(long offset, int size) {
        return memory.slice((int) offset, size);
    }
}
