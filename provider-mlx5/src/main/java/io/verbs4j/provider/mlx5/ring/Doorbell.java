/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.natives.lock.SpinLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.StoreFence;

/**
 * A doorbell register of a send queue, which queue pairs may share. It has two halves that are rung in turn, so that
 * one that is still in progress is not overwritten; a half size of 0 means that there is only one.
 *
 * <p>Memory order on x86-64: in a write-combining page, the 8-byte store to the register may overtake earlier stores.
 * So a {@link StoreFence} separates it from the store to the send queue's doorbell record, and another one after it
 * flushes it from the write-combining buffer. Without such a fence, the record is written by an atomic exchange, which
 * later stores cannot overtake, and the fence after the register's store is a full one. In a non-cached page, stores
 * stay in program order, and ordinary ones suffice. On other processors Java has no fence that is certain to reach a
 * device, so libmlx5 posts.
 *
 * <p>BlueFlame: a single request is copied to the register as a whole, instead of its first 8 bytes, so the device need
 * not read it from memory. The choice of requests is the same as in libmlx5, whose environment variables apply here as
 * well.
 */
public final class Doorbell {
    private static final int NOT_CACHED = 0;
    private static final int CACHED = 1;
    private static final int BLUE_FLAME = 2;
    private static final int BLUE_FLAME_OF_INLINE = 3;

    private final long register;
    private final int halfSize;
    private final int blueFlame;
    private final int way;
    private final SpinLock lock = new SpinLock();
    private int offset;
    private int users;
    private volatile boolean shared;
    private boolean locked;

    /**
     * Creates the doorbell of a register.
     *
     * @param halfSize size of each half in bytes
     * @param cached whether stores to its page may be combined and delayed
     * @param blueFlame whether single requests with inline data are copied to it
     * @param preferred whether all single requests are copied to it
     */
    public Doorbell(long register, int halfSize, boolean cached, boolean blueFlame, boolean preferred) {
        this.register = register;
        this.halfSize = halfSize;
        this.blueFlame = blueFlame && cached ? halfSize / Wqe.BLOCK : 0;
        this.way = !cached ? NOT_CACHED : this.blueFlame == 0 ? CACHED : preferred ? BLUE_FLAME : BLUE_FLAME_OF_INLINE;
    }

    /** Returns the maximum number of blocks of a single request that is copied to the register; 0 if none is copied. */
    int blueFlame(boolean inline) {
        return inline || way == BLUE_FLAME ? blueFlame : 0;
    }

    /** Adds a queue pair that will ring this register. From the second one on, ringing takes the lock. */
    public synchronized void join() {
        users++;
        shared |= users > 1 && halfSize != 0;
    }

    /** Removes a queue pair; returns whether it was the last. */
    public synchronized boolean leave() {
        return --users == 0;
    }

    /**
     * Returns whether ringing has just begun to take the lock, so that a post of the first queue pair may still be in
     * progress without it. Such a post must end before another queue pair rings; then call {@link #locked}.
     */
    public synchronized boolean isSharedSinceNow() {
        return shared && !locked;
    }

    /** Notes that all threads that ring now take the lock. */
    public synchronized void locked() {
        locked = true;
    }

    /** Returns the address of the register. */
    public long register() {
        return register;
    }

    /**
     * Announces elements to the device: writes the record, then the first 8 bytes of the last element to the register.
     * The values are given as they are in memory.
     */
    public void ring(long record, int recordValue, long bytes) {
        if (way == NOT_CACHED) {
            ringPlain(record, recordValue, bytes);
            return;
        }
        boolean locks = begin(record, recordValue);
        NativeMemory.putLongRelease(register + offset, bytes);
        end(locks);
    }

    /**
     * Announces one element of one block, with data, in whichever way applies: by the record, and the element or its
     * first 8 bytes.
     */
    void ringOne(long record, int recordValue, long at, long bytes, boolean inline) {
        switch (way) {
            case NOT_CACHED -> ringPlain(record, recordValue, bytes);
            case BLUE_FLAME -> ringBlock(record, recordValue, at);
            default -> {
                if (inline && way == BLUE_FLAME_OF_INLINE) {
                    ringBlock(record, recordValue, at);
                } else {
                    ring(record, recordValue, bytes);
                }
            }
        }
    }

    private void ringPlain(long record, int recordValue, long bytes) {
        NativeMemory.putIntRelease(record, recordValue);
        NativeMemory.putLongRelease(register + offset, bytes);
        offset ^= halfSize;
    }

    /** Announces one element of one block through BlueFlame. */
    void ringBlock(long record, int recordValue, long at) {
        boolean locks = begin(record, recordValue);
        copyBlock(at, register + offset);
        end(locks);
    }

    /** Announces one element of several blocks through BlueFlame; the ring continues at {@code buf} after its end. */
    void ringBlocks(long record, int recordValue, long at, int blocks, long buf, long end) {
        boolean locks = begin(record, recordValue);
        long from = at;
        for (int i = 0; i < blocks; i++) {
            copyBlock(from, register + offset + (long) i * Wqe.BLOCK);
            from += Wqe.BLOCK;
            from = from == end ? buf : from;
        }
        end(locks);
    }

    /** Writes the record: after everything written before, and before everything written to the register. */
    private boolean begin(long record, int recordValue) {
        if (StoreFence.isAvailable()) {
            NativeMemory.putIntRelease(record, recordValue);
            StoreFence.run();
        } else {
            NativeMemory.exchangeInt(record, recordValue);
        }
        boolean locks = shared;
        if (locks) {
            lock.lock();
        }
        return locks;
    }

    private static void copyBlock(long from, long to) {
        for (int i = 0; i < Wqe.BLOCK; i += Long.BYTES) {
            NativeMemory.putLong(to + i, NativeMemory.getLong(from + i));
        }
    }

    /** Waits until the store has left the processor, so that the next one, perhaps by another thread, follows it. */
    private void end(boolean locks) {
        if (StoreFence.isAvailable()) {
            StoreFence.run();
        } else {
            NativeMemory.fullFence();
        }
        offset ^= halfSize;
        if (locks) {
            lock.unlock();
        }
    }
}
