/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.connect.ConnectionRejectedException;
import io.verbs4j.bulk.connect.ConnectionRequest;
import io.verbs4j.bulk.connect.ConnectionSide;
import io.verbs4j.bulk.connect.PeerConnection;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.bulk.recovery.Attempt;
import io.verbs4j.bulk.recovery.Recovery;
import io.verbs4j.bulk.recovery.Snapshot;
import io.verbs4j.bulk.strategy.Posts;
import io.verbs4j.bulk.transfer.Link;
import io.verbs4j.bulk.transfer.LinkTable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Makes lost connections again: connects, or accepts the peer that does. One attempt at a time for a connection, each
 * with a queue pair and an epoch of its own.
 */
final class Reconnector {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");
    private static final String RECONNECT = "bulk_reconnect";
    private static final long LONGEST_DIAL = TimeUnit.SECONDS.toNanos(5);
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long NAP = TimeUnit.MILLISECONDS.toNanos(1);

    /** What the side that connects calls a connection by. */
    private record Name(long endpoint, int connection) {}

    private final Connector connector;
    private final LinkTable links;
    private final LinkEvents events;
    private final long nanos;
    private final Map<Name, Connection> accepted = new ConcurrentHashMap<>();
    private final Dialers dialers;

    Reconnector(Connector connector, LinkTable links, LinkEvents events, long nanos, Dialers dialers) {
        this.connector = connector;
        this.links = links;
        this.events = events;
        this.nanos = nanos;
        this.dialers = dialers;
    }

    /** What this side says when a connection is made for the first time. */
    Hello first(Hello hello, Link link) {
        return nanos > 0 ? hello.recovering(link.id(), 0) : hello;
    }

    /** A connection is about to be accepted, and may come again soon. */
    void expect(Connection connection, Hello peer) {
        if (nanos > 0 && peer.recovers()) {
            Name name = new Name(peer.endpoint(), peer.connection());
            connection.recovery(new Recovery(nanos, false), () -> accepted.remove(name, connection));
            accepted.put(name, connection);
        }
    }

    /** How a new connection is recovered, or null where one side does not want that. */
    Recovery agree(Connection connection, Hello peer, boolean expected) {
        if (!expected && nanos > 0 && peer.recovers()) {
            connection.recovery(new Recovery(nanos, true), () -> {});
        }
        return connection.recovery();
    }

    /** The queue pair of a connection is closed; by the thread that drives. */
    void suspended(Connection connection) {
        Recovery recovery = connection.recovery();
        if (!recovery.dials()) {
            return; // the peer comes
        }
        Snapshot snapshot = recovery.claim();
        Attempt attempt = new Attempt(recovery.nextEpoch(), snapshot);
        long longest = Math.max(NAP, Math.min(LONGEST_DIAL, recovery.left(System.nanoTime())));
        dialers.schedule(() -> connector.making(() -> dial(connection, attempt, longest)), recovery.nextDelay());
    }

    private void dial(Connection connection, Attempt attempt, long longest) {
        attempt(connection, attempt, () -> {
            PeerConnection made = connector.dial(connection, side(connection, attempt), longest);
            Hello peer = Hello.decode(made.hello());
            if (peer.epoch() != attempt.epoch() || !peer.recovers()) {
                made.close();
                throw new VerbsException(Errno.EPROTO, RECONNECT, "the peer answers for epoch " + peer.epoch());
            }
            return made;
        });
    }

    /** A peer connects again. */
    void accept(Adapter adapter, ConnectionRequest request, Hello peer) {
        Connection connection = accepted.get(new Name(peer.endpoint(), peer.connection()));
        if (connection == null
                || connection.usesDatagrams() != request.isDatagrams()
                || connection.link().recovery().epoch() >= peer.epoch()) {
            request.reject(Rejections.NO_SUCH_CONNECTION + " of epoch " + peer.epoch());
            return;
        }
        boolean elsewhere =
                connection.adapter() != adapter && adapter.connections().listensByDevice();
        Snapshot snapshot = elsewhere ? null : claim(connection);
        if (snapshot == null) {
            request.reject(Rejections.NOT_YET);
            return;
        }
        Attempt attempt = new Attempt(peer.epoch(), snapshot);
        connector.making(() -> attempt(connection, attempt, () -> request.accept(side(connection, attempt))));
    }

    /** The peer has closed its queue pair: waits until this side has, for some time. */
    private Snapshot claim(Connection connection) {
        Recovery recovery = connection.recovery();
        Snapshot snapshot = recovery.claim();
        if (snapshot == null) {
            int epoch = connection.link().recovery().epoch();
            connector.engine().execute(() -> connection.link().recovery().disconnected(epoch));
        }
        long start = System.nanoTime();
        while (snapshot == null && System.nanoTime() - start < PATIENCE) {
            LockSupport.parkNanos(NAP);
            snapshot = recovery.claim();
        }
        return snapshot;
    }

    private void attempt(Connection connection, Attempt attempt, Supplier<PeerConnection> maker) {
        Engine engine = connector.engine();
        try {
            PeerConnection made = maker.get();
            if (!connection.attach(made)) {
                made.close();
                return; // it was given up
            }
            Hello peer = Hello.decode(made.hello());
            engine.execute(() -> resume(connection.link(), attempt, peer));
            made.onDisconnected(
                    () -> engine.execute(() -> connection.link().recovery().disconnected(attempt.epoch())));
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection to " + connection.address() + " was not recovered yet", e);
            engine.execute(() -> failed(connection, attempt, e));
        } catch (RuntimeException | Error e) {
            VerbsException why = new VerbsException(Errno.ENOMEM, RECONNECT, "the attempt failed: " + e, e);
            engine.execute(() -> failed(connection, attempt, why)); // there may be memory at the next one
            throw e;
        }
    }

    private void resume(Link link, Attempt attempt, Hello peer) {
        if (link.recovery().resume(attempt, peer)) {
            events.recovered(link);
        }
    }

    private void failed(Connection connection, Attempt attempt, VerbsException why) {
        Link link = connection.link();
        if (isFinal(why)) {
            link.fail(Errno.ECONNRESET);
        }
        connection.adapter().drain(links);
        if (link.recovery().failed(attempt)) {
            suspended(connection);
        }
    }

    /** Whether the peer is there, and does not know the connection, or nobody is there any more. */
    private static boolean isFinal(VerbsException why) {
        return why instanceof ConnectionRejectedException rejected
                ? Rejections.areFinal(rejected)
                : why.errno() == Errno.EPROTO;
    }

    private static void prepare(Connection connection, Attempt attempt, Posts posts) {
        boolean receives = !connection.link().usesRing();
        int errno = connection.link().recovery().prepare(attempt, posts, receives);
        if (errno != 0) {
            throw new VerbsException(errno, RECONNECT, "the device takes no receives: " + Errno.toString(errno));
        }
    }

    private ConnectionSide side(Connection connection, Attempt attempt) {
        Link link = connection.link();
        Hello hello = connector.hello(connection.adapter(), link, attempt.epoch());
        return connector.side(
                connection,
                hello.recovering(link.id(), attempt.snapshot().delivered()),
                posts -> prepare(connection, attempt, posts));
    }
}
