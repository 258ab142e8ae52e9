/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The ids by which the device names the requests of a queue.
 *
 * <p>Requests complete in any order, so ring positions cannot serve as names. There is a number for each request that
 * may be outstanding, and free numbers wait in a ring of their own. Posting takes numbers out and polling puts them
 * back, each under its own lock. If the device accepts the program's 64-bit id, that is the name, and requests are only
 * counted.
 */
final class RequestIds {
    private static final VarHandle RETURNED;

    static {
        try {
            RETURNED = MethodHandles.lookup().findVarHandle(RequestIds.class, "returned", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int most;
    private final boolean wide;
    private final long[] wrIds; // by number
    private final char[] free;
    private int taken; // used by posting only
    private int limit; // upper bound of taken, as last seen by posting

    @SuppressWarnings("unused") // accessed through RETURNED
    private int returned; // written by polling only

    /**
     * Creates the ids, all of them free.
     *
     * @param most maximum number of outstanding requests, up to 65536
     * @param wide whether the device accepts 64-bit ids
     */
    RequestIds(int most, boolean wide) {
        this.most = most;
        this.wide = wide;
        int size = wide ? 1 : Math.max(1, Integer.highestOneBit(2 * most - 1)); // rounded up
        wrIds = new long[size];
        free = new char[size];
        reset();
    }

    /** Frees all ids. Nothing may be posted or completed meanwhile. */
    void reset() {
        for (int i = 0; i < free.length; i++) {
            free[i] = (char) i;
        }
        taken = 0;
        limit = most;
        RETURNED.setRelease(this, most);
    }

    /** Returns whether the device accepts 64-bit ids. */
    boolean isWide() {
        return wide;
    }

    /** Returns the maximum number of outstanding requests; no list may contain more. */
    int most() {
        return most;
    }

    /** Returns the number of free ids, at least. */
    int room() {
        limit = (int) RETURNED.getAcquire(this);
        return limit - taken;
    }

    /** Returns whether all ids are free: nothing is outstanding. */
    boolean isEmpty() {
        return room() == most;
    }

    /** Returns whether no id is free. */
    boolean isFull() {
        return taken == limit && room() == 0;
    }

    /** Takes the next id, which must be free. Returns the name for the device. */
    long take(long wrId) {
        return take(taken++, wrId);
    }

    /**
     * Returns the number of ids taken since RESET. To take several by {@link #take(int, long)}, start here and finish
     * with {@link #took}.
     */
    int taken() {
        return taken;
    }

    /** Sets the number of ids taken since RESET. */
    void took(int n) {
        taken = n;
    }

    /** Takes the id with the given index, without counting it; see {@link #take(long)}. */
    long take(int n, long wrId) {
        if (wide) {
            return wrId;
        }
        char[] ring = free;
        char number = ring[n & ring.length - 1];
        wrIds[number] = wrId;
        return number;
    }

    /** Returns whether a number is in the range of ids. */
    boolean isOne(int number) {
        return number < most;
    }

    /** Completes a request and returns the program's id of a number that passed {@link #isOne}. */
    long complete(int number) {
        long wrId = wrIds[number];
        char[] ring = free;
        int n = returned; // written by polling only
        ring[n & ring.length - 1] = (char) number;
        RETURNED.setRelease(this, n + 1);
        return wrId;
    }

    /** Completes a request whose completion carries the program's id. */
    void complete() {
        RETURNED.setRelease(this, returned + 1);
    }
}
