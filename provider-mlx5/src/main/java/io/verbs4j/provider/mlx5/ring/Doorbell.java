/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.rdmacore.memory.NativeMemory;

/**
 * A doorbell register of a send queue, which queue pairs may share. It has two halves that are rung in turn, so that one that is
 * still under way is not written over; a size of 0 means that there is one only.
 *
 * <p>Order, on x86-64: the send queue's record was written by an atomic exchange, which lets nothing before it pass; then this
 * one store of 8 bytes; then a full fence, which pushes it out of the write-combining buffer. On other processors Java has no
 * fence that reaches a device for sure, and the driver posts.
 */
public final class Doorbell {
    private final long register;
    private final int halfSize;
    private final SpinLock lock = new SpinLock(false);
    private int offset;

    /** For a register. */
    public Doorbell(long register, int halfSize) {
        this.register = register;
        this.halfSize = halfSize;
    }

    /** Rings it with the first 8 bytes of the last work queue element, as they are in memory. */
    void ring(long bytes) {
        lock.lock();
        NativeMemory.putLongRelease(register + offset, bytes);
        NativeMemory.fullFence();
        offset ^= halfSize;
        lock.unlock();
    }
}
