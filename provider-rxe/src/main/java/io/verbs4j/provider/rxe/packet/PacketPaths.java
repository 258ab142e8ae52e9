/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.qp.SendPath;

/** What carries out the send queues of a port by packets, and takes packets in. */
public final class PacketPaths {
    private final PacketHost port;
    private final HeldPaths held = new HeldPaths();
    private final TransportCounters counters = new TransportCounters();

    /** Makes it, for a port. */
    public PacketPaths(PacketHost port) {
        this.port = port;
    }

    /** A path for a connected queue pair, RC, UC or XRC, over a link. */
    public SendPath connected(RxeQueuePair qp, Link link) {
        if (qp.isReliable()) { // no "? :", of which newer compilers make something that loads both
            return new RcPath(qp, link, held, counters);
        }
        return new UcPath(qp, link, counters);
    }

    /** A path for a queue pair of type UD. */
    public SendPath datagrams(RxeQueuePair qp) {
        return new UdPath(qp, port, new UdOutputs(port), counters);
    }

    /** Whether a path is one that packets are taken in by. */
    public boolean isOne(SendPath path) {
        return path instanceof PacketPath;
    }

    /** What takes in the packets of a link; one for each link. */
    public Dispatcher newDispatcher() {
        return new Dispatcher(port, counters);
    }

    /** Sends what queue pairs hold back to send it with more: a program waits for completions. */
    public void flushHeld() {
        held.flush();
    }

    /** What was counted. */
    public TransportCounters counters() {
        return counters;
    }
}
