/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.bulk.control.RailAddress;

/** The queue pair of a rail, connected by messages of a connection that is there. Any thread may use it. */
public final class RailQueuePair implements AutoCloseable {
    private final ReliableQueuePair qp;
    private boolean closed;

    RailQueuePair(ReliableQueuePair qp) {
        this.qp = qp;
    }

    /** Where it is. */
    public RailAddress address() {
        return RailAddresses.encode(qp.address());
    }

    /**
     * Connects it to the peer's, unless it is closed.
     *
     * @return whether it could
     * @throws io.verbs4j.VerbsException {@code EPROTO} for an address that can't be one
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
