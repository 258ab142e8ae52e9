/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

/**
 * Builds vendor-specific requests, one at a time, by vendor functions called between {@code ibv_wr_start} and
 * {@code ibv_wr_complete}. All methods are called with the lock of the send queue held.
 *
 * @param <R> the vendor's request
 */
public interface OwnRequests<R> {
    /**
     * Selects the request that the other methods refer to.
     *
     * @return 0 or an errno; with an errno nothing is posted
     */
    int prepare(R request);

    /** {@return the id in its completion} */
    long wrId();

    /** {@return its {@link io.verbs4j.SendFlags}} */
    int sendFlags();

    /**
     * Returns whether it has a completion.
     *
     * @param all whether each request of the queue pair has one
     */
    boolean isSignaled(boolean all);

    /** {@return the maximum number of elements that it takes in the queue} */
    int elements();

    /** Calls the vendor's functions. */
    void build();

    /** Ends the request, which was posted or refused. Called once after each {@link #prepare} that returned 0. */
    void done();

    /** Frees memory kept beside the queue pair, once that is destroyed. */
    void free();
}
