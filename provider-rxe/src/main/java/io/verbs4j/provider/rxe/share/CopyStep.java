/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/** Memory for copies in two steps, used by one thread at a time, from {@link #begin} to {@link #end}. */
final class CopyStep {
    /** Size of the memory. */
    static final int BYTES = 1 << 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES + Long.BYTES);
    private final long address = NativeMemory.address(buffer);

    /** Acquires the memory and returns its address. */
    long begin() {
        lock.lock();
        return address;
    }

    /** {@return the memory, for use between {@link #begin} and {@link #end}} */
    ByteBuffer buffer() {
        return buffer;
    }

    /** {@return the address of a scratch byte, which may be overwritten without {@link #begin}} */
    long probe() {
        return address + BYTES;
    }

    void end() {
        lock.unlock();
    }
}
