/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

/**
 * Counts the room in a send queue, for a driver whose builder must not get more requests than fit. A request counts as
 * done when a polled completion says so, which is never earlier than for the driver. Requests complete in order.
 * Thread-safe.
 */
final class SendRoom {
    private final int most;
    private final long[] wrIds;
    private final boolean[] signaled;
    private int posted;
    private int done;

    /** Creates the count for an empty queue of {@code most} requests, at least 1. */
    SendRoom(int most) {
        this.most = most;
        int places = Integer.highestOneBit(most) == most ? most : Integer.highestOneBit(most) << 1;
        this.wrIds = new long[places];
        this.signaled = new boolean[places];
    }

    /** Takes room for a request that is about to be posted; returns false if there is none. */
    synchronized boolean take(long wrId, boolean isSignaled) {
        if (posted - done >= most) {
            return false;
        }
        int place = posted & wrIds.length - 1;
        wrIds[place] = wrId;
        signaled[place] = isSignaled;
        posted++;
        return true;
    }

    /** Gives back the room of the last {@code count} requests, which were not posted. */
    synchronized void giveBack(int count) {
        posted -= count;
    }

    /**
     * Completes a request and all before it. Does nothing if the request belongs to another queue.
     *
     * @param failed whether it has failed: it then has a completion even if it was not signaled
     */
    synchronized void completed(long wrId, boolean failed) {
        for (int i = done; i != posted; i++) {
            int place = i & wrIds.length - 1;
            if (wrIds[place] == wrId && (failed || signaled[place])) {
                done = i + 1;
                return;
            }
        }
    }

    /** Empties the queue when the queue pair is reset. */
    synchronized void reset() {
        done = posted;
    }
}
