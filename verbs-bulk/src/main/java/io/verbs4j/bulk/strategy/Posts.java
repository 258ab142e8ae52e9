/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.RecvWorkRequest;

/**
 * Posts requests to one queue pair. Keys and addresses are those of the device. Flags are {@link io.verbs4j.SendFlags}
 * bits. Methods return 0 or an errno and allocate nothing. All requests except receives may be gathered until
 * {@link #flush()}.
 */
public interface Posts {
    /** Called once by the driving thread when the queue pair is connected, before any request except receives. */
    void connected();

    /** Writes bytes to the peer's memory. */
    int write(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress);

    /** Writes bytes, perhaps none, to the peer's memory and notifies the peer of a value once they have arrived. */
    int writeAndTell(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress, int value);

    /** Reads bytes from the peer's memory. */
    int read(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress);

    /** Sends a header, followed by bytes, perhaps none. */
    int send(long wrId, int flags, int headerKey, long header, int headerLength, int lkey, long address, int length);

    /**
     * Posts the gathered requests.
     *
     * @return 0 or an errno; some requests may be posted even on failure
     */
    int flush();

    /** Posts a receive. */
    int receive(RecvWorkRequest request);

    /** Fails the queue pair: posted requests complete, and the peer can no longer reach memory through it. */
    void fail();
}
