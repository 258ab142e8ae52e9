/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.rdmacore.memory.NativeMemory;

/**
 * A doorbell register of a send queue, which queue pairs may share. It has two halves that are rung in turn, so that one that is
 * still under way is not written over; a size of 0 means that there is one only.
 *
 * <p>Order, on x86-64. In a write-combining page the register's store may pass those before it: so the send queue's record is
 * written by an atomic exchange, which lets nothing before it pass; then comes one store of 8 bytes; then a full fence, which
 * pushes it out of the write-combining buffer. In a page that is not cached stores stay in the order of the program, and plain ones
 * will do. On other processors Java has no fence that reaches a device for sure, and the driver posts.
 */
public final class Doorbell {
    private final long register;
    private final int halfSize;
    private final boolean cached;
    private final SpinLock lock = new SpinLock();
    private int offset;
    private int users;
    private volatile boolean shared;

    /**
     * For a register.
     *
     * @param cached whether stores to its page may be combined, and late
     */
    public Doorbell(long register, int halfSize, boolean cached) {
        this.register = register;
        this.halfSize = halfSize;
        this.cached = cached;
    }

    /** Takes note of a queue pair that will ring here. From the second on there is a lock. */
    public synchronized void join() {
        users++;
        shared |= users > 1 && halfSize != 0;
    }

    /** Takes note that a queue pair is gone; whether it was the last. */
    public synchronized boolean leave() {
        return --users == 0;
    }

    /** Whether there is a lock. Before the second queue pair rings, a post of the first that began without it must be over. */
    public boolean isShared() {
        return shared;
    }

    /** The address of the register. */
    public long register() {
        return register;
    }

    /** Tells of elements: the record, then the first 8 bytes of the last of them, both as they are in memory. */
    void ring(long record, int recordValue, long bytes) {
        if (!cached) {
            NativeMemory.putIntRelease(record, recordValue);
            NativeMemory.putLongRelease(register + offset, bytes);
            offset ^= halfSize;
        } else {
            NativeMemory.exchangeInt(record, recordValue);
            if (shared) {
                ringShared(bytes);
            } else {
                NativeMemory.putLongRelease(register + offset, bytes);
                NativeMemory.fullFence();
                offset ^= halfSize;
            }
        }
    }

    /** The next one's store follows ours only when ours has left the processor. */
    private void ringShared(long bytes) {
        lock.lock();
        NativeMemory.putLongRelease(register + offset, bytes);
        NativeMemory.fullFence();
        offset ^= halfSize;
        lock.unlock();
    }
}
