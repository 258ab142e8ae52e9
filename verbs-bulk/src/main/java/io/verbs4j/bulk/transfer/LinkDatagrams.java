/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.CompletionQueue;
import io.verbs4j.bulk.datagram.DatagramQueuePair;
import io.verbs4j.bulk.strategy.Abilities;

/** The queue pairs of a connection by datagrams: the current one, and perhaps the next one. */
public final class LinkDatagrams {
    private final Link link;
    private final DatagramLandings landings;

    /** The queue pair created last. */
    private volatile DatagramSide made;

    /** The queue pair that the connection uses; null if it does not use datagrams. */
    private DatagramSide current;

    LinkDatagrams(Link link) {
        this.link = link;
        landings = new DatagramLandings(link.transfers.pool);
    }

    /**
     * Creates a queue pair. The thread that makes the connection calls this, and closes it.
     *
     * @param home the link's home on its device
     * @param abilities abilities of its device
     * @param cq its completion queue
     * @param port number of its port
     * @param epoch number of the connection
     */
    public DatagramQueuePair make(Home home, Abilities abilities, CompletionQueue cq, int port, int epoch) {
        DatagramSide side = new DatagramSide(link, home, abilities, cq, port, LinkRecovery.tag(epoch), landings);
        made = side;
        return side.queuePair();
    }

    /** Switches to the queue pair created last, if any. */
    void use() {
        current = made;
    }

    /** Whether the connection uses datagrams. */
    boolean areUsed() {
        return current != null;
    }

    DatagramLandings landings() {
        return landings;
    }

    /** Opens the current queue pair, which is connected. */
    void open() {
        current.queuePair().posts().writesDirectly(link.protocol().writes());
        link.transfers.datagrams.open(current);
    }

    /** Whether the current queue pair failed before it became the current one. */
    boolean haveFailed() {
        return current != null && current.hasFailed();
    }

    /** Ignores the reports of the current queue pair, which is closed or about to be. */
    void close() {
        if (current != null) {
            current.close();
            link.transfers.datagrams.close(current);
        }
    }

    /** Returns the queue pair of a request, or null if it is closed. */
    DatagramSide side(int number) {
        if (link.recovery().isOfNow(number)) {
            return current;
        }
        return link.recovery().isPending(number) ? made : null;
    }
}
