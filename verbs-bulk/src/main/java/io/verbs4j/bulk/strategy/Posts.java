/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.RecvWorkRequest;

/**
 * Posts requests to one queue pair. Keys and addresses are the device's. Flags are {@link io.verbs4j.SendFlags} bits.
 * Methods return 0 or an errno, and allocate nothing. Requests but receives may be gathered until {@link #flush()}.
 */
public interface Posts {
    /** The queue pair is connected. Called once, by the thread that drives, before requests but receives. */
    void connected();

    /** Writes bytes to the peer's memory. */
    int write(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress);

    /** Writes bytes to the peer's memory, perhaps none, and tells the peer a value when they are there. */
    int writeAndTell(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress, int value);

    /** Reads bytes from the peer's memory. */
    int read(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress);

    /** Sends a header, and what is behind it, perhaps nothing. */
    int send(long wrId, int flags, int headerKey, long header, int headerLength, int lkey, long address, int length);

    /**
     * Posts what was gathered.
     *
     * @return 0, or an errno, with which some of it may be posted
     */
    int flush();

    /** Posts a receive. */
    int receive(RecvWorkRequest request);

    /** Fails the queue pair: what is posted completes, and the peer reaches no memory by it any more. */
    void fail();
}
