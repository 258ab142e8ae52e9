/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.provider.rxe.memory.RxeMemoryWindow;

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

    /** Where inline data is. */
    private final RingMemory inlineMemory;

    private long posted;
    private long next;
    private long done;

    /** Elements before it may begin. */
    private long enabled = Long.MAX_VALUE;

    private boolean managed;

    /** How many elements a queue for so many work requests has. */
    static int elements(int maxWr) {
        return Integer.highestOneBit(Math.max(1, maxWr) * 2 - 1);
    }

    /** Makes a queue, with memory that is large enough for its inline data. */
    public SendQueue(int maxWr, int maxSge, int maxInline, RingMemory memory) {
        int size = elements(maxWr);
        this.maxWr = maxWr;
        this.mask = size - 1;
        this.ring = new SendWqe[size];
        this.inlineMemory = memory;
        long base = memory.address();
        for (int i = 0; i < size; i++) {
            ring[i] = new SendWqe(maxSge, base + (long) i * maxInline, maxInline, memory.mayGoAway());
        }
    }

    /** Whether nothing more can be posted. */
    public boolean isFull() {
        return isFull(0);
    }

    /** Whether nothing more can be posted where so many took their place already. */
    public boolean isFull(int more) {
        return room() <= more;
    }

    /** How many more can be posted. */
    public int room() {
        return maxWr - (int) (posted - done);
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

    /** Whether requests wait until they are enabled. */
    public boolean isManaged() {
        return managed;
    }

    /** From now on nothing begins that is not {@linkplain #enable enabled}. */
    public void manage() {
        managed = true;
        enabled = posted;
    }

    /** Lets so many more begin; those that are not posted yet, too. */
    public void enable(long more) {
        if (managed) {
            enabled = Math.max(enabled, enabled + more);
        }
    }

    /** Lets all begin that are posted. */
    public void enableAll() {
        enabled = Math.max(enabled, posted);
    }

    /** Counter of the first element that may not begin. */
    public long ready() {
        return Math.min(posted, enabled);
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
        if (managed) {
            enabled = posted;
        }
    }

    /** Gives its memory back; it is empty for ever. Nothing may be locked. */
    public void end() {
        inlineMemory.free();
    }

    /** Whether nothing is in it. */
    public boolean isEmpty() {
        return done == posted;
    }
}
