/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.DmaBuffer;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/** A buffer that the embedded device has allocated. */
public final class RxeDmaBuffer extends DmaBuffer {
    private final ByteBuffer memory;

    /** Creates the handle of page-aligned memory. */
    public RxeDmaBuffer(ProtectionDomain pd, ByteBuffer memory) {
        super(pd, NativeMemory.address(memory), memory.capacity());
        this.memory = memory;
    }

    @Override
    protected ByteBuffer memory(long offset, int size) {
        return memory.slice((int) offset, size);
    }
}
