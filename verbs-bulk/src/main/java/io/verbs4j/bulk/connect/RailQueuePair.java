/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.bulk.control.RailAddress;

/** The queue pair of a rail, connected by messages of the established connection. Any thread may use it. */
public final class RailQueuePair implements AutoCloseable {
    private final ReliableQueuePair qp;
    private boolean closed;

    RailQueuePair(ReliableQueuePair qp) {
        this.qp = qp;
    }

    /** Its address. */
    public RailAddress address() {
        return RailAddresses.encode(qp.address());
    }

    /**
     * Connects it to the peer's queue pair, unless it is closed.
     *
     * @return false if it is closed
     * @throws io.verbs4j.VerbsException {@code EPROTO} if the address is invalid
     */
    public synchronized boolean connect(RailAddress peer) {
        if (!closed) {
            QueuePairAddress address = RailAddresses.decode(peer);
            qp.receive(address, 0);
            qp.send(address);
        }
        return !closed;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            qp.close();
        }
    }
}
