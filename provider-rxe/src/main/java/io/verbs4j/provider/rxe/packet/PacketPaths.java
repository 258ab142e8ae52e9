/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.qp.SendPath;

/** Creates the paths of a port that carry out send queues by packets and receive packets. */
public final class PacketPaths {
    private final PacketHost port;
    private final HeldPaths held = new HeldPaths();
    private final AwaitedReceipts receipts = new AwaitedReceipts();
    private final TransportCounters counters = new TransportCounters();

    /** Creates it for a port. */
    public PacketPaths(PacketHost port) {
        this.port = port;
    }

    /** Creates a path for a connected queue pair (RC, UC or XRC) over a link. */
    public SendPath connected(RxeQp qp, Link link) {
        if (qp.isReliable()) { // no "? :", which newer compilers turn into code that loads both classes
            return new RcPath(qp, link, held, receipts, counters);
        }
        return new UcPath(qp, link, counters);
    }

    /** Creates a path for a UD queue pair. */
    public SendPath datagrams(RxeQp qp) {
        return new UdPath(qp, port, new UdOutputs(port), counters);
    }

    /** Returns whether a path receives packets. */
    public boolean isOne(SendPath path) {
        return path instanceof PacketPath;
    }

    /** Creates the receiver of a link's packets; one per link. */
    public Dispatcher newDispatcher() {
        return new Dispatcher(port, receipts, counters);
    }

    /** Sends what queue pairs hold back to send it with more, because a program waits for completions. */
    public void flushHeld() {
        held.flush();
    }

    /** {@return the transport counters} */
    public TransportCounters counters() {
        return counters;
    }
}
