/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.provider.rxe.memory.Memory;
import io.verbs4j.provider.rxe.memory.RxeMemoryWindow;
import java.nio.ByteBuffer;

/**
 * A send queue: a ring of elements between three counters that only go up.
 *
 * <pre>
 *   done                next               posted
 *    |  under way        |  not begun        |  free
 * </pre>
 *
 * Guarded by the send lock of its queue pair.
 */
public final class SendQueue {
    private final SendWqe[] ring;
    private final int mask;
    private final int maxWr;

    /** Keeps the inline data's memory reachable. */
    private final ByteBuffer inlineMemory;

    private long posted;
    private long next;
    private long done;

    /** Makes a queue. */
    public SendQueue(int maxWr, int maxSge, int maxInline) {
        int size = Integer.highestOneBit(Math.max(1, maxWr) * 2 - 1);
        this.maxWr = maxWr;
        this.mask = size - 1;
        this.ring = new SendWqe[size];
        this.inlineMemory = ByteBuffer.allocateDirect(Math.max(1, size * maxInline));
        long base = Memory.address(inlineMemory);
        for (int i = 0; i < size; i++) {
            ring[i] = new SendWqe(maxSge, base + (long) i * maxInline, maxInline);
        }
    }

    /** Whether nothing more can be posted. */
    public boolean isFull() {
        return posted - done >= maxWr;
    }

    /** The element that {@link #post()} will add, to be filled before. There must be room. */
    public SendWqe free() {
        return ring[(int) posted & mask];
    }

    /** Adds the element that was filled. */
    public void post() {
        posted++;
    }

    /** Adds a request that tells that a window of type 1 is bound. There must be room. */
    public void post(RxeMemoryWindow mw, long wrId, int sendFlags) {
        ring[(int) posted & mask].set(mw, wrId, sendFlags);
        posted++;
    }

    /** Counter of the first free element. */
    public long posted() {
        return posted;
    }

    /** Counter of the first element that was not begun. */
    public long next() {
        return next;
    }

    /** Counter of the first element that is not completed. */
    public long done() {
        return done;
    }

    /** The element of a counter between {@link #done()} and {@link #posted()}. */
    public SendWqe at(long counter) {
        return ring[(int) counter & mask];
    }

    /** Takes note that the element at {@link #next()} was begun (or all of it sent). */
    public void advanceNext() {
        next++;
    }

    /** Goes back: elements from a counter on were not begun. */
    public void rewindNext(long counter) {
        next = counter;
    }

    /** Frees the element at {@link #done()}. */
    public void retire() {
        ring[(int) done & mask].forget();
        done++;
        if (next < done) {
            next = done;
        }
    }

    /** Forgets everything. */
    public void clear() {
        while (done < posted) {
            retire();
        }
    }

    /** Whether nothing is in it. */
    public boolean isEmpty() {
        return done == posted;
    }
}
