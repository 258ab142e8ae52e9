/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import java.net.InetAddress;

/** A queue pair that this side connects by itself. For one thread. */
interface LocalQueuePair extends AutoCloseable {
    /**
     * Creates and prepares the queue pair of a side.
     *
     * @param local this machine's address on the route to the peer
     */
    static LocalQueuePair of(ConnectionSide side, InetAddress local) {
        LocalPort port = LocalPort.of(side.pd().context(), local);
        return side.datagrams() == null ? new ReliableQueuePair(side, port) : new DatagramEnd(side, port);
    }

    /** Its address. */
    QueuePairAddress address();

    /**
     * Lets it receive from the peer's queue pair.
     *
     * @param key the key of the peer's memory, 0 if the peer gives none
     * @throws io.verbs4j.VerbsException {@code EPROTO} if the address is invalid
     */
    void receive(QueuePairAddress peer, int key);

    /** Lets it send, once the peer's queue pair can receive. */
    void send(QueuePairAddress peer);

    /** Closes the queue pair; it no longer accesses memory. */
    @Override
    void close();
}
