/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

/**
 * How much room a send queue has, for a driver whose builder must not be asked for more. It counts a request as done
 * when a completion says
 * so that was polled, which is never before the driver does. Requests complete in order. Thread-safe.
 */
final class SendRoom {
    private final int most;
    private final long[] wrIds;
    private final boolean[] signaled;
    private int posted;
    private int done;

    /** An empty queue of so many requests, from 1. */
    SendRoom(int most) {
        this.most = most;
        int places = Integer.highestOneBit(most) == most ? most : Integer.highestOneBit(most) << 1;
        this.wrIds = new long[places];
        this.signaled = new boolean[places];
    }

    /** Takes room for a request that is about to be posted; false where there is none. */
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

    /** The last so many requests were not posted after all. */
    synchronized void giveBack(int count) {
        posted -= count;
    }

    /**
     * A request is done, with all before it; perhaps one of another queue, then nothing happens.
     *
     * @param failed whether it has failed: then it has a completion whether it was signaled or not
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

    /** The queue pair is in RESET. */
    synchronized void reset() {
        done = posted;
    }
}
