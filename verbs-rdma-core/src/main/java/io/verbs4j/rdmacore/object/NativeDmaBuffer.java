/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.DmaBuffer;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/** A buffer that a native device has allocated. */
public final class NativeDmaBuffer extends DmaBuffer {
    /** The {@code struct ibv_buf}. */
    public final IbvObject ibv;

    /** Creates the handle of a {@code struct ibv_buf}, whose memory starts at {@code addr}. */
    public NativeDmaBuffer(ProtectionDomain pd, long addr, long length, long address) {
        super(pd, addr, length);
        ibv = new IbvObject(address);
    }

    @Override
    protected ByteBuffer memory(long offset, int size) {
        return NativeMemory.buffer(addr() + offset, size);
    }
}
