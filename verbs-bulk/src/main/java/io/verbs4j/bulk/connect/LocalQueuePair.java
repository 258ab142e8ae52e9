/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import java.net.InetAddress;

/** A queue pair that this side connects by itself. For one thread. */
interface LocalQueuePair extends AutoCloseable {
    /**
     * Makes the queue pair of a side, prepared.
     *
     * @param local the address of this machine by which the peer was reached
     */
    static LocalQueuePair of(ConnectionSide side, InetAddress local) {
        LocalPort port = LocalPort.of(side.pd().context(), local);
        return side.datagrams() == null ? new ReliableQueuePair(side, port) : new DatagramEnd(side, port);
    }

    /** Where it is. */
    QueuePairAddress address();

    /**
     * Has it receive from a peer's.
     *
     * @param key the key of the peer's memory, 0 where it gives none
     * @throws io.verbs4j.VerbsException {@code EPROTO} for an address that can't be one
     */
    void receive(QueuePairAddress peer, int key);

    /** Has it send, when the peer's can receive. */
    void send(QueuePairAddress peer);

    /** Closes it: nothing touches memory by it any more. */
    @Override
    void close();
}
