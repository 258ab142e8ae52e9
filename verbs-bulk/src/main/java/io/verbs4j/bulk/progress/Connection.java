/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.VerbsException;
import io.verbs4j.bulk.connect.PeerConnection;
import io.verbs4j.bulk.transfer.Link;

/** A link and the connection that it goes by, which is there a moment later. */
final class Connection {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private final Link link;
    private final Adapter adapter;
    private PeerConnection connected;
    private boolean ended;

    Connection(Link link, Adapter adapter) {
        this.link = link;
        this.adapter = adapter;
    }

    Link link() {
        return link;
    }

    /** The connection is there. Returns whether it is wanted: the link may have ended. */
    synchronized boolean attach(PeerConnection connection) {
        if (!ended) {
            connected = connection;
        }
        return !ended;
    }

    /** The link has ended: closes the queue pair, so that nothing touches memory by it any more. */
    synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        if (connected != null) {
            try {
                connected.close();
            } catch (VerbsException e) {
                LOG.log(System.Logger.Level.DEBUG, "a connection was closed with requests under way", e);
            }
        }
        adapter.unreserve();
        link.closeMemory();
    }
}
