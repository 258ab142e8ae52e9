/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.CompletionQueue;
import io.verbs4j.bulk.datagram.DatagramQueuePair;
import io.verbs4j.bulk.strategy.Abilities;

/** The queue pairs of a connection that goes by datagrams: one at a time, and perhaps the next one. */
public final class LinkDatagrams {
    private final Link link;
    private final DatagramLandings landings;

    /** The one that was made last. */
    private volatile DatagramSide made;

    /** The one that the connection goes by; null where it does not go by datagrams. */
    private DatagramSide current;

    LinkDatagrams(Link link) {
        this.link = link;
        landings = new DatagramLandings(link.transfers.pool);
    }

    /**
     * Makes a queue pair. The thread that makes the connection does so, and closes it.
     *
     * @param home the link's at its device
     * @param abilities what its device can do
     * @param cq its completion queue
     * @param port number of its port
     * @param epoch number of the connection
     */
    public DatagramQueuePair make(Home home, Abilities abilities, CompletionQueue cq, int port, int epoch) {
        DatagramSide side = new DatagramSide(link, home, abilities, cq, port, LinkRecovery.tag(epoch), landings);
        made = side;
        return side.queuePair();
    }

    /** The connection goes by the queue pair that was made last, if there is one. */
    void use() {
        current = made;
    }

    /** Whether the connection goes by datagrams. */
    boolean areUsed() {
        return current != null;
    }

    DatagramLandings landings() {
        return landings;
    }

    /** The current queue pair is connected. */
    void open() {
        current.queuePair().posts().writesDirectly(link.protocol().writes());
        link.transfers.datagrams.open(current);
    }

    /** Whether the current queue pair has failed before it was the current one. */
    boolean haveFailed() {
        return current != null && current.hasFailed();
    }

    /** The current queue pair is closed, or will be: nothing counts any more that it reports. */
    void close() {
        if (current != null) {
            current.close();
            link.transfers.datagrams.close(current);
        }
    }

    /** The queue pair that a request is of, or null where that is closed. */
    DatagramSide side(int number) {
        if (link.recovery().isOfNow(number)) {
            return current;
        }
        return link.recovery().isPending(number) ? made : null;
    }
}
