/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What the device names the requests of a queue by. Requests complete in any order, so a place in the ring is no name: there is a number
 * for each request that may be under way, and those that are free wait in a ring of their own. Who posts takes them out, who polls
 * puts them back, each with his own lock. Where the device takes the program's whole id, it is the name, and requests are counted only.
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
    private int taken; // of who posts
    private int limit; // what taken may become, as far as he knows

    @SuppressWarnings("unused") // through RETURNED
    private int returned; // of who polls

    /**
     * All are free.
     *
     * @param most how many requests may be under way, up to 65536
     * @param wide whether the device takes ids of 64 bits
     */
    RequestIds(int most, boolean wide) {
        this.most = most;
        this.wide = wide;
        int size = wide ? 1 : Math.max(1, Integer.highestOneBit(2 * most - 1)); // rounded up
        wrIds = new long[size];
        free = new char[size];
        reset();
    }

    /** All are free again, while nobody posts and nothing completes. */
    void reset() {
        for (int i = 0; i < free.length; i++) {
            free[i] = (char) i;
        }
        taken = 0;
        limit = most;
        RETURNED.setRelease(this, most);
    }

    /** Whether the device takes ids of 64 bits. */
    boolean isWide() {
        return wide;
    }

    /** How many requests may be under way: no more are accepted of one list. */
    int most() {
        return most;
    }

    /** How many are free, at least. */
    int room() {
        limit = (int) RETURNED.getAcquire(this);
        return limit - taken;
    }

    /** Whether none is. */
    boolean isFull() {
        return taken == limit && room() == 0;
    }

    /** Takes the next, which there is: what the device names the request by. */
    long take(long wrId) {
        return take(taken++, wrId);
    }

    /** How many were taken since RESET: who takes several by {@link #take(int, long)} begins there, and ends by {@link #took}. */
    int taken() {
        return taken;
    }

    /** So many were taken. */
    void took(int n) {
        taken = n;
    }

    /** As {@link #take(long)}, of one who counts himself. */
    long take(int n, long wrId) {
        if (wide) {
            return wrId;
        }
        char[] ring = free;
        char number = ring[n & ring.length - 1];
        wrIds[number] = wrId;
        return number;
    }

    /** Whether a number is one that a request may have. */
    boolean isOne(int number) {
        return number < most;
    }

    /** A request is complete: the program's id of a number that {@link #isOne}. */
    long complete(int number) {
        long wrId = wrIds[number];
        char[] ring = free;
        int n = returned; // changed by who polls alone
        ring[n & ring.length - 1] = (char) number;
        RETURNED.setRelease(this, n + 1);
        return wrId;
    }

    /** As that, where the device knows the program's id. */
    void complete() {
        RETURNED.setRelease(this, returned + 1);
    }
}
