/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Context;
import io.verbs4j.bulk.progress.Engine;
import io.verbs4j.bulk.progress.LinkEvents;
import io.verbs4j.bulk.transfer.Link;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The peers of an endpoint; passes their events to the listener. */
final class BulkPeers implements LinkEvents {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private final Map<Integer, BulkPeer> peers = new ConcurrentHashMap<>();
    private final BulkListener listener;
    private final Executor executor;
    private Engine engine;

    BulkPeers(BulkListener listener, Executor executor) {
        this.listener = listener;
        this.executor = executor;
    }

    /** Sets the engine of the endpoint; called before any peer exists. */
    void engine(Engine value) {
        engine = value;
    }

    BulkPeer find(int id) {
        return peers.get(id);
    }

    @Override
    public void made(Link link, InetSocketAddress address) {
        BulkPeer peer = new BulkPeer(engine, link, address);
        link.attachment(peer);
        peers.put(link.id(), peer);
    }

    /** Returns the peer of a connection, even if the connection has ended. */
    BulkPeer of(Link link) {
        return (BulkPeer) link.attachment();
    }

    @Override
    public void up(Link link, long endpoint, boolean accepted) {
        BulkPeer peer = of(link);
        peer.up(endpoint);
        if (accepted) {
            tell(() -> listener.peerUp(peer));
        }
    }

    @Override
    public void recovering(Link link) {
        BulkPeer peer = of(link);
        peer.recovering();
        tell(() -> listener.peerRecovering(peer));
    }

    @Override
    public void recovered(Link link) {
        BulkPeer peer = of(link);
        peer.recovered(link.recovery().policy().reconnections());
        tell(() -> listener.peerRecovered(peer));
    }

    @Override
    public void down(Link link) {
        BulkPeer peer = peers.remove(link.id());
        if (peer != null) {
            boolean wasUp = peer.endpointId() != 0;
            peer.down();
            if (wasUp) {
                tell(() -> listener.peerDown(peer, link.reason()));
            }
        }
    }

    @Override
    public void deviceLost(Context context) {
        tell(() -> listener.deviceLost(context));
    }

    private void tell(Runnable call) {
        try {
            executor.execute(() -> run(call));
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "the endpoint is closed", e);
        }
    }

    private static void run(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a listener failed", e);
        }
    }
}
