/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/** Memory for copies that take two steps, for one thread at a time: from {@link #begin} to {@link #end}. */
final class CopyStep {
    /** How much it is. */
    static final int BYTES = 1 << 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES + Long.BYTES);
    private final long address = NativeMemory.address(buffer);

    /** Returns the address. */
    long begin() {
        lock.lock();
        return address;
    }

    /** The memory, while it is the caller's. */
    ByteBuffer buffer() {
        return buffer;
    }

    /** Where a byte may be written that nobody looks at; whoever has this object may do so. */
    long probe() {
        return address + BYTES;
    }

    void end() {
        lock.unlock();
    }
}
