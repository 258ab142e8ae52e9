/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.provider.rxe.memory.RxeMemoryWindow;

/**
 * A send queue: a ring of elements between three counters that only go up.
 *
 * <pre>
 *   freed               done                next               posted
 *    |  completed        |  under way        |  not begun        |  free
 * </pre>
 *
 * A completed request keeps its place until its completion, or a later one of the queue, is polled: {@code
 * ibv_post_send(3)}.
 *
 * <p>Guarded by the send lock of its queue pair, but for {@link #polled}.
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

    /** Requests whose places are free, as far as {@link #free(long)} was told. */
    private long freed;

    /** Requests whose places polling has freed. Guarded by the lock of the completion queue. */
    private long polled;

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

    /** How many more can be posted, as far as is known: see {@link #free(long)}. */
    public int room() {
        return maxWr - (int) (posted - freed);
    }

    /** The places of so many requests are free: what {@link RxeCompletionQueue#polled} returned. */
    public void free(long requests) {
        freed = requests;
    }

    /**
     * Takes note that the completion of a request was polled. The completion queue's lock is held, not the send lock.
     */
    void polled(long requests) {
        polled = requests;
    }

    /** Requests whose places polling has freed. The completion queue's lock is held. */
    long polled() {
        return polled;
    }

    /** Frees all places: no completions are left. Both locks are held; the queue is empty. */
    void freeAll() {
        polled = posted;
        freed = posted;
    }

    /** The element that a {@link #post()} will add after so many others, to be filled before. There must be room. */
    public SendWqe free(int after) {
        return ring[(int) posted + after & mask];
    }

    /** Adds the next element, which was filled and checked. */
    public void post() {
        SendWqe wqe = ring[(int) posted & mask];
        posted++;
        wqe.posted();
    }

    /**
     * Counts a request that was carried out where it was posted, and is complete. The queue is empty, and there is
     * room.
     */
    public void pass() {
        posted++;
        next++;
        done++;
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
