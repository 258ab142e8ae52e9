/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.natives.lock.SpinLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.StoreFence;

/**
 * A doorbell register of a send queue, which queue pairs may share. It has two halves that are rung in turn, so that one that is
 * still under way is not written over; a size of 0 means that there is one only.
 *
 * <p>Order, on x86-64. In a write-combining page the register's store may pass those before it: so between the send queue's record
 * and that store, of 8 bytes, there is a {@link StoreFence}; another one behind it pushes it out of the write-combining buffer. Where
 * there is no such fence, the record is written by an atomic exchange, which lets nothing before it pass, and the fence behind is
 * a full one. In a page that is not cached stores stay in the order of the program, and plain ones will do. On other processors Java
 * has no fence that reaches a device for sure, and the driver posts.
 *
 * <p>BlueFlame: a single request is copied to the register as a whole, in place of its first 8 bytes, and the device need not read
 * it from memory. Which requests are is as in libmlx5, whose environment variables count here too.
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
     * For a register.
     *
     * @param halfSize in bytes
     * @param cached whether stores to its page may be combined, and late
     * @param blueFlame whether single requests with inline data are copied to it
     * @param preferred whether all single requests are
     */
    public Doorbell(long register, int halfSize, boolean cached, boolean blueFlame, boolean preferred) {
        this.register = register;
        this.halfSize = halfSize;
        this.blueFlame = blueFlame && cached ? halfSize / Wqe.BLOCK : 0;
        this.way = !cached ? NOT_CACHED : this.blueFlame == 0 ? CACHED : preferred ? BLUE_FLAME : BLUE_FLAME_OF_INLINE;
    }

    /** Up to how many blocks a single request is copied to the register as a whole; 0 where none is. */
    int blueFlame(boolean inline) {
        return inline || way == BLUE_FLAME ? blueFlame : 0;
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

    /**
     * Whether there is a lock, and a post of the first queue pair may still be under way that began without it. That must be over
     * before another one rings: {@link #locked} says so.
     */
    public synchronized boolean isSharedSinceNow() {
        return shared && !locked;
    }

    /** Takes note that whoever rings here has seen the lock. */
    public synchronized void locked() {
        locked = true;
    }

    /** The address of the register. */
    public long register() {
        return register;
    }

    /** Tells of elements: the record, then the first 8 bytes of the last of them, both as they are in memory. */
    void ring(long record, int recordValue, long bytes) {
        if (way == NOT_CACHED) {
            ringPlain(record, recordValue, bytes);
            return;
        }
        boolean locks = begin(record, recordValue);
        NativeMemory.putLongRelease(register + offset, bytes);
        end(locks);
    }

    /** Tells of one element of one block, with data, in whichever way: the record, the element, and its first 8 bytes. */
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

    /** Tells of one element of one block, by BlueFlame. */
    void ringBlock(long record, int recordValue, long at) {
        boolean locks = begin(record, recordValue);
        copyBlock(at, register + offset);
        end(locks);
    }

    /** Tells of one element of some blocks, by BlueFlame; the ring goes on at {@code buf} where it ends. */
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

    /** Writes the record: behind all that was written before, and before all that is written to the register. */
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

    /** The next one's store, perhaps of another thread, follows ours only when ours has left the processor. */
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
