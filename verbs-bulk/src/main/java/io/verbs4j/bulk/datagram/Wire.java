/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import java.nio.ByteBuffer;

/**
 * Transport of datagrams: a queue pair with memory for headers and receives, or a model of it. Methods return 0 or an
 * errno and allocate nothing.
 */
public interface Wire {
    /** Memory for headers, little-endian: place i starts at {@code i * HEADER_STRIDE}. */
    ByteBuffer headers();

    /** Memory of receives, little-endian. */
    ByteBuffer received();

    /** Returns where a receive's datagram starts in {@link #received()}, after the bytes that the device adds. */
    int receivedAt(int place);

    /** Number of places for headers, which is the maximum number of datagrams in flight. */
    int sends();

    /** Number of places for receives. */
    int receives();

    /** Whether it loses no datagram. */
    boolean isLossless();

    /** Maximum size of a datagram. */
    int mtu();

    /**
     * Sends a datagram, perhaps not before {@link #flush()}. Its completion names the place of its header.
     *
     * @param place place of the header
     * @param headerLength size of the header
     * @param lkey local key of the bytes that follow
     * @param address address of these bytes
     * @param length their number; 0 for none
     */
    int send(int place, int headerLength, int lkey, long address, int length);

    /**
     * Writes bytes to the peer's memory, perhaps not before {@link #flush()}. Requests for memory and datagrams arrive
     * in any order.
     *
     * @param place a place of headers, which the completion names
     * @param lkey local key of the bytes
     * @param address address of the bytes
     * @param length number of bytes
     * @param rkey key of the peer's memory
     * @param remoteAddress address in the peer's memory
     */
    int write(int place, int lkey, long address, int length, int rkey, long remoteAddress);

    /** Reads bytes from the peer's memory; otherwise like {@link #write}. */
    int read(int place, int lkey, long address, int length, int rkey, long remoteAddress);

    /** Posts the gathered requests. */
    int flush();

    /** Posts the receive of a place. */
    int receive(int place);

    /** Fails the queue pair: posted requests complete, and nothing arrives any more. */
    void fail();
}
