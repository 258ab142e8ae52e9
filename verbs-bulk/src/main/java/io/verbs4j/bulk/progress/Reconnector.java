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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Restores lost connections: connects, or accepts the peer that does. Each connection has one attempt at a time, with
 * its own queue pair and epoch.
 */
final class Reconnector {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");
    private static final String RECONNECT = "bulk_reconnect";
    private static final long LONGEST_DIAL = TimeUnit.SECONDS.toNanos(5);
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long NAP = TimeUnit.MILLISECONDS.toNanos(1);

    /** Maximum delay before the next search for a device, if there is none. */
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(100);

    /** Fraction of the recovery time in which a device that is back may not listen yet. */
    private static final int LISTENING = 4;

    /** The connecting side's name for a connection. */
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

    /** Extends this side's hello for a new connection. */
    Hello first(Hello hello, Connection connection) {
        return nanos > 0
                ? hello.recovering(connection.link().id(), 0)
                        .moving(connection.adapter().number())
                : hello;
    }

    /** Registers a connection that is about to be accepted, because its peer may have to reconnect soon. */
    void expect(Connection connection, Hello peer) {
        if (nanos > 0 && peer.recovers()) {
            Name name = new Name(peer.endpoint(), peer.connection());
            connection.recovery(new Recovery(nanos, false), () -> accepted.remove(name, connection));
            accepted.put(name, connection);
        }
    }

    /** Returns the policy for recovering a new connection, or null if one side does not recover. */
    Recovery agree(Connection connection, Hello peer, boolean expected) {
        if (!expected && nanos > 0 && peer.recovers()) {
            connection.recovery(new Recovery(nanos, true), () -> {});
        }
        return connection.recovery();
    }

    /** Starts to restore a connection whose queue pair is closed; by the driving thread. */
    void suspended(Connection connection) {
        Recovery recovery = connection.recovery();
        if (!recovery.dials()) {
            return; // the peer reconnects
        }
        Snapshot snapshot = recovery.claim();
        Attempt attempt = new Attempt(recovery.nextEpoch(), snapshot);
        long longest = Math.max(NAP, Math.min(LONGEST_DIAL, recovery.left(System.nanoTime())));
        long delay = recovery.nextDelay();
        dialers.schedule(
                () -> connector.making(() -> dial(connection, attempt, longest)),
                isStuck(connection) ? Math.min(delay, LOOK) : delay);
    }

    /** Whether there is no device that a connection could use; one may appear at any time. */
    private boolean isStuck(Connection connection) {
        return connection.adapter().isLost() && candidates(connection).isEmpty();
    }

    private void dial(Connection connection, Attempt attempt, long longest) {
        List<Adapter> candidates = candidates(connection);
        int tried = attempt.epoch() - connection.link().recovery().epoch() - 1;
        Adapter adapter = candidates.isEmpty() ? null : candidates.get(tried % candidates.size());
        attempt(connection, attempt, adapter, home -> {
            PeerConnection made = connector.dial(connection, home, side(connection, home, attempt), longest);
            Hello peer = Hello.decode(made.hello());
            if (peer.epoch() != attempt.epoch() || !peer.recovers()) {
                made.close();
                throw new VerbsException(Errno.EPROTO, RECONNECT, "the peer answered for epoch " + peer.epoch());
            }
            if (!connection.suits(home.adapter(), peer)) {
                made.close();
                throw new VerbsException(Errno.EOPNOTSUPP, RECONNECT, "the other device can't do the same transfers");
            }
            return made;
        });
    }

    /** Returns the devices that a connection may use, starting with its last one unless that is lost. */
    private List<Adapter> candidates(Connection connection) {
        List<Adapter> candidates = new ArrayList<>();
        Adapter last = connection.adapter();
        if (!last.isLost()) {
            candidates.add(last);
        }
        if (connection.isMovable()) {
            connector.devices().live().stream()
                    .filter(adapter -> adapter != last && connection.suits(adapter))
                    .forEach(candidates::add);
        }
        return candidates;
    }

    /** Accepts a peer that reconnects. */
    void accept(Adapter adapter, ConnectionRequest request, Hello peer) {
        Connection connection = accepted.get(new Name(peer.endpoint(), peer.connection()));
        if (connection == null
                || connection.usesDatagrams() != request.isDatagrams()
                || connection.link().recovery().epoch() >= peer.epoch()) {
            request.reject(Rejections.NO_SUCH_CONNECTION + " of epoch " + peer.epoch());
            return;
        }
        Adapter by = device(connection, adapter, peer);
        Snapshot snapshot = by == null ? null : claim(connection);
        if (snapshot == null) {
            request.reject(Rejections.NOT_YET);
            return;
        }
        Attempt attempt = new Attempt(peer.epoch(), snapshot);
        connector.making(
                () -> attempt(connection, attempt, by, home -> request.accept(side(connection, home, attempt))));
    }

    /** Returns the device for a connection whose peer has connected to {@code cameTo}; null if there is none. */
    private static Adapter device(Connection connection, Adapter cameTo, Hello peer) {
        Adapter last = connection.adapter();
        boolean stays = !last.isLost() && (cameTo == last || !last.connections().listensByDevice());
        if (stays && connection.suits(last, peer)) {
            return last;
        }
        boolean moves = connection.isMovable() && !cameTo.isLost() && connection.suits(cameTo, peer);
        return moves ? cameTo : null;
    }

    /** Waits a short time for this side's queue pair to be closed, after the peer has closed its own. */
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

    private void attempt(
            Connection connection, Attempt attempt, Adapter adapter, Function<AdapterHome, PeerConnection> maker) {
        Engine engine = connector.engine();
        AdapterHome home = null;
        if (adapter != null) {
            adapter.use();
        }
        try {
            home = home(connection, adapter);
            PeerConnection made = maker.apply(home);
            if (!connection.attach(made)) {
                made.close();
                leave(connection, home);
                return; // it was given up
            }
            Hello peer = Hello.decode(made.hello());
            AdapterHome taken = home;
            engine.execute(() -> resume(connection, attempt, taken, peer));
            made.onDisconnected(
                    () -> engine.execute(() -> connection.link().recovery().disconnected(attempt.epoch())));
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection to " + connection.address() + " is not recovered yet", e);
            AdapterHome left = home;
            engine.execute(() -> failed(connection, attempt, left, e));
        } catch (RuntimeException | Error e) {
            VerbsException why = new VerbsException(Errno.ENOMEM, RECONNECT, "the attempt failed: " + e, e);
            AdapterHome left = home;
            engine.execute(() -> failed(connection, attempt, left, why)); // the next attempt may have enough memory
            throw e;
        } finally {
            if (adapter != null) {
                adapter.unuse();
            }
        }
    }

    /** Returns a connection's share of a device: the current one, or a new one with the messages' memory registered. */
    private static AdapterHome home(Connection connection, Adapter adapter) {
        if (adapter == null) {
            throw new VerbsException(Errno.ENODEV, RECONNECT, "no device is available for the connection");
        }
        if (adapter == connection.adapter() && !connection.home().isClosed()) {
            return connection.home();
        }
        AdapterHome home = AdapterHome.of(adapter);
        boolean done = false;
        try {
            home.register(connection.link(), connection.link().usesRing());
            done = true;
            return home;
        } finally {
            if (!done) {
                home.close();
            }
        }
    }

    /** Cleans up after an attempt whose queue pair is closed. */
    private static void leave(Connection connection, AdapterHome home) {
        if (home != null && home != connection.home()) {
            home.close();
        }
    }

    private void resume(Connection connection, Attempt attempt, AdapterHome home, Hello peer) {
        Link link = connection.link();
        if (link.recovery().resume(attempt, peer)) {
            connection.met(peer);
            events.recovered(link);
        } else if (home != connection.home()) {
            connection.release();
            leave(connection, home);
        }
    }

    private void failed(Connection connection, Attempt attempt, AdapterHome home, VerbsException why) {
        Link link = connection.link();
        Adapter adapter = home == null ? connection.adapter() : home.adapter();
        boolean unused = adapter.isLost(why.errno()); // it is then no candidate
        if (isFinal(connection, why)) {
            link.fail(Errno.ECONNRESET);
        }
        adapter.drain(links, connector.devices());
        connector.closeRails(connection);
        boolean again = link.recovery().failed(attempt);
        leave(connection, home);
        if (again) {
            suspended(connection);
        }
    }

    /** Whether the peer does not know the connection, or nothing listens at its address any more. */
    private boolean isFinal(Connection connection, VerbsException why) {
        if (why instanceof ConnectionRejectedException rejected) {
            boolean mayListenAgain = rejected.reason == null
                    && connection.isMovable()
                    && connection.adapter().connections().listensByDevice()
                    && connection.recovery().left(System.nanoTime()) > nanos - nanos / LISTENING;
            return !mayListenAgain && Rejections.areFinal(rejected);
        }
        return why.errno() == Errno.EPROTO;
    }

    private static void prepare(Connection connection, AdapterHome home, Attempt attempt, Posts posts) {
        boolean receives = !connection.link().usesRing();
        int errno = connection.link().recovery().prepare(attempt, home, posts, receives);
        if (errno != 0) {
            throw new VerbsException(errno, RECONNECT, "the device accepts no receives: " + Errno.toString(errno));
        }
    }

    private ConnectionSide side(Connection connection, AdapterHome home, Attempt attempt) {
        Hello hello = connector.hello(home, attempt.epoch());
        return connector.side(
                connection,
                home,
                hello.recovering(connection.link().id(), attempt.snapshot().delivered())
                        .moving(home.adapter().number()),
                posts -> prepare(connection, home, attempt, posts));
    }
}
