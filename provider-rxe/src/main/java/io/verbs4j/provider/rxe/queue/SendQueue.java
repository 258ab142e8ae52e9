/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.provider.rxe.memory.RxeMw;

/**
 * A send queue: a ring of elements between counters that only increase, except when {@link #rewindNext} moves one back.
 *
 * <pre>
 *   freed               done                next               posted
 *    |  completed        |  in progress      |  not begun        |  free
 * </pre>
 *
 * A completed request keeps its place until its completion, or a later one of the queue, is polled: {@code
 * ibv_post_send(3)}.
 *
 * <p>Guarded by the send lock of its queue pair, except for {@link #polled}.
 */
public final class SendQueue {
    private final SendWqe[] ring;
    private final int mask;
    private final int maxWr;

    /** The memory for inline data. */
    private final RingMemory inlineMemory;

    private long posted;
    private long next;
    private long done;

    /** Requests whose places are free, according to the last {@link #free(long)}. */
    private long freed;

    /** Requests whose places polling has freed. Guarded by the lock of the completion queue. */
    private long polled;

    /** Elements below this counter may begin. */
    private long enabled = Long.MAX_VALUE;

    private boolean managed;

    /** Returns the number of elements of a queue for {@code maxWr} work requests. */
    static int elements(int maxWr) {
        return Integer.highestOneBit(Math.max(1, maxWr) * 2 - 1);
    }

    /** Creates a queue; {@code memory} must be large enough for its inline data. */
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

    /** {@return how many more requests can be posted, as far as known from the last {@link #free(long)}} */
    public int room() {
        return maxWr - (int) (posted - freed);
    }

    /** Records how many requests have given back their places; {@link RxeCq#polled} returns the number. */
    public void free(long requests) {
        freed = requests;
    }

    /**
     * Records that the completion of a request was polled. The caller holds the completion queue's lock, not the send
     * lock.
     */
    void polled(long requests) {
        polled = requests;
    }

    /** {@return the requests whose places polling has freed} The caller holds the completion queue's lock. */
    long polled() {
        return polled;
    }

    /** Frees all places, because no completions are left. The caller holds both locks; the queue is empty. */
    void freeAll() {
        polled = posted;
        freed = posted;
    }

    /**
     * Returns the free element {@code after} places behind the last one, to be filled before its {@link #post()}. There
     * must be room.
     */
    public SendWqe free(int after) {
        return ring[(int) posted + after & mask];
    }

    /** Adds the next element, which was filled and checked. */
    public void post() {
        SendWqe wqe = ring[(int) posted & mask];
        posted++;
        wqe.posted();
    }

    /** Counts a request that was completed where it was posted. The queue is empty and has room. */
    public void pass() {
        posted++;
        next++;
        done++;
    }

    /** Adds a request that reports that a type 1 window is bound. There must be room. */
    public void post(RxeMw mw, long wrId, int sendFlags) {
        ring[(int) posted & mask].set(mw, wrId, sendFlags);
        posted++;
    }

    /** {@return the counter of the first free element} */
    public long posted() {
        return posted;
    }

    /** {@return whether requests wait until they are enabled} */
    public boolean isManaged() {
        return managed;
    }

    /** Makes the queue managed: from now on only {@linkplain #enable enabled} elements may begin. */
    public void manage() {
        managed = true;
        enabled = posted;
    }

    /** Enables {@code more} elements, including ones that are not posted yet. */
    public void enable(long more) {
        if (managed) {
            enabled = Math.max(enabled, enabled + more);
        }
    }

    /** Enables all posted elements. */
    public void enableAll() {
        enabled = Math.max(enabled, posted);
    }

    /** {@return the counter of the first element that may not begin} */
    public long ready() {
        return Math.min(posted, enabled);
    }

    /** {@return the counter of the first element that was not begun} */
    public long next() {
        return next;
    }

    /** {@return the counter of the first element that is not completed} */
    public long done() {
        return done;
    }

    /** Returns the element at a counter between {@link #done()} and {@link #posted()}. */
    public SendWqe at(long counter) {
        return ring[(int) counter & mask];
    }

    /** Notes that the element at {@link #next()} was begun (or fully sent). */
    public void advanceNext() {
        next++;
    }

    /** Moves {@link #next()} back to a counter: elements from there on count as not begun. */
    public void rewindNext(long counter) {
        next = counter;
    }

    /** Completes the element at {@link #done()}. */
    public void retire() {
        ring[(int) done & mask].forget();
        done++;
        if (next < done) {
            next = done;
        }
    }

    /** Discards all elements. */
    public void clear() {
        while (done < posted) {
            retire();
        }
        if (managed) {
            enabled = posted;
        }
    }

    /** Frees the memory of the queue, which stays empty forever. Called without locks. */
    public void end() {
        inlineMemory.free();
    }

    /** {@return whether the queue is empty} */
    public boolean isEmpty() {
        return done == posted;
    }
}
