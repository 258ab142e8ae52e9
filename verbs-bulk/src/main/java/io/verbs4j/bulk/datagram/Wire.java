/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import java.nio.ByteBuffer;

/**
 * What datagrams go through: a queue pair with memory for headers and for receives, or a model of it. Methods return 0
 * or an errno, and allocate nothing.
 */
public interface Wire {
    /** Memory for headers, little-endian: place i is at {@code i * HEADER_STRIDE}. */
    ByteBuffer headers();

    /** Memory of receives, little-endian. */
    ByteBuffer received();

    /** Where the datagram of a receive begins in {@link #received()}, behind what the device puts in front of it. */
    int receivedAt(int place);

    /** Number of places for headers, which is the number of datagrams that may be sent at a time. */
    int sends();

    /** Number of places for receives. */
    int receives();

    /** Whether it loses no datagram. */
    boolean isLossless();

    /** Most bytes of a datagram. */
    int mtu();

    /**
     * Sends a datagram, perhaps not before {@link #flush()}; its completion names the place of its header.
     *
     * @param place place of the header
     * @param headerLength bytes there
     * @param lkey local key of the bytes behind it
     * @param address where they are
     * @param length how many; 0 for none
     */
    int send(int place, int headerLength, int lkey, long address, int length);

    /**
     * Writes bytes to the peer's memory, perhaps not before {@link #flush()}. Requests for memory, and datagrams, come
     * in any order.
     *
     * @param place a place of headers, which its completion names
     * @param lkey local key of the bytes
     * @param address where they are
     * @param length how many
     * @param rkey key of the peer's memory
     * @param remoteAddress where they go
     */
    int write(int place, int lkey, long address, int length, int rkey, long remoteAddress);

    /** Reads bytes from the peer's memory, likewise. */
    int read(int place, int lkey, long address, int length, int rkey, long remoteAddress);

    /** Posts what was gathered. */
    int flush();

    /** Posts a receive into a place. */
    int receive(int place);

    /** Fails the queue pair: what is posted completes, and nothing comes any more. */
    void fail();
}
