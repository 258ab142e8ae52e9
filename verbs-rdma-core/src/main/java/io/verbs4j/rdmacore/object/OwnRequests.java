/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

/**
 * Posts requests of a vendor's own, one at a time, by functions of the vendor's that go between {@code ibv_wr_start}
 * and {@code ibv_wr_complete}. It is called with the lock of the send queue.
 *
 * @param <R> the vendor's request
 */
public interface OwnRequests<R> {
    /**
     * Takes a request as the one that the other methods are about.
     *
     * @return 0 or an errno; with an errno nothing is posted
     */
    int prepare(R request);

    /** What its completion names it by. */
    long wrId();

    /** Its {@link io.verbs4j.SendFlags}. */
    int sendFlags();

    /**
     * Whether it has a completion.
     *
     * @param all whether the queue pair gives one to each request
     */
    boolean isSignaled(boolean all);

    /** Most elements of the queue that it becomes. */
    int elements();

    /** Calls the vendor's functions. */
    void build();

    /** The request is posted, or refused. Called once after each {@link #prepare} that returned 0. */
    void done();

    /** Frees what it has beside the queue pair, once that is destroyed. */
    void free();
}
