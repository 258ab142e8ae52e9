/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.Errno;
import io.verbs4j.QpAttrMask;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.connect.RailPort;
import io.verbs4j.bulk.connect.RailQueuePair;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.bulk.control.RailAddress;
import io.verbs4j.bulk.control.RailKeys;
import io.verbs4j.bulk.progress.ConnectionRails.Place;
import io.verbs4j.bulk.strategy.Abilities;
import io.verbs4j.bulk.strategy.Posts;
import io.verbs4j.bulk.strategy.Protocol;
import io.verbs4j.bulk.strategy.QueuePairs;
import io.verbs4j.bulk.transfer.Limits;
import io.verbs4j.bulk.transfer.Link;
import io.verbs4j.bulk.transfer.LinkTable;
import io.verbs4j.bulk.transfer.RailId;
import io.verbs4j.bulk.transfer.RailMaker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Creates the queue pairs of rails: one for each port of the endpoint besides that of the connection itself. */
final class RailConnector implements RailMaker {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    /** Size of a rail's receive queue, which is not used. */
    private static final int RECEIVES = 1;

    /** Thrown if this side has no port for a rail, so that a retry is useless. */
    private static final class NoPortException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final Connector connector;
    private final Devices devices;
    private final LinkTable links;
    private final Limits limits;
    private final Dialers dialers;
    private final int most;

    /**
     * Creates the rail connector of an endpoint.
     *
     * @param most maximum number of queue pairs of a connection, including the first one
     */
    RailConnector(Connector connector, Devices devices, LinkTable links, Limits limits, Dialers dialers, int most) {
        this.connector = connector;
        this.devices = devices;
        this.links = links;
        this.limits = limits;
        this.dialers = dialers;
        this.most = Math.min(most, RailKeys.MOST + 1);
    }

    /** Adds this side's support of rails to a hello. */
    Hello hello(Hello hello) {
        return most > 1 ? hello.withRails() : hello;
    }

    /** Enables rails for a connection that is about to be up, if both sides support them. */
    void agree(Connection connection, Hello peer, Protocol protocol, boolean offers) {
        if (most > 1 && peer.knowsRails() && !protocol.datagrams()) {
            connection.rails().needed(Abilities.WRITE | (protocol.reads() ? Abilities.READ : 0));
            connection.link().rails().setup().agree(this, offers);
        }
    }

    @Override
    public void offer(Link link) {
        Connection connection = connector.find(link);
        int epoch = link.recovery().epoch();
        if (connection != null && portCount(connection) > 1) {
            run(0, () -> offerAll(connection, epoch));
        }
    }

    private void run(long nanos, Runnable task) {
        dialers.schedule(() -> connector.making(task), nanos);
    }

    private int portCount(Connection connection) {
        int count = 0;
        for (Adapter adapter : devices.all()) {
            count += connection.rails().canUse(adapter) ? adapter.ports() : 0;
        }
        return count;
    }

    /** Returns all ports except that of the connection's first queue pair, in the order of the endpoint's devices. */
    private List<Place> places(Connection connection) {
        int first = connection.queuePair().query(QpAttrMask.PORT).portNum();
        List<Place> places = new ArrayList<>();
        for (Adapter adapter : devices.all()) {
            for (int port = 1; connection.rails().canUse(adapter) && port <= adapter.ports(); port++) {
                if (adapter != connection.adapter() || port != first) {
                    places.add(new Place(adapter, new RailPort(adapter.context(), port)));
                }
            }
        }
        return places;
    }

    private void offerAll(Connection connection, int epoch) {
        int count = Math.min(most, portCount(connection));
        for (int rail = 1; rail < count; rail++) {
            offer(connection, RailId.first(rail, epoch));
        }
    }

    @Override
    public void offerAgain(Link link, RailId rail, long nanos) {
        Connection connection = connector.find(link);
        if (connection != null) {
            run(nanos, () -> offer(connection, rail));
        }
    }

    private void offer(Connection connection, RailId id) {
        make(connection, id, () -> {
            List<Place> places = places(connection);
            Place place = places.size() < id.rail() ? null : places.get(id.rail() - 1);
            if (place == null || !place.isActive() || !connection.rails().reserve(id, place)) {
                return null;
            }
            return openToOffer(place);
        });
    }

    private Made openToOffer(Place place) {
        try {
            return open(place, null);
        } catch (VerbsException e) {
            if (e.errno() == Errno.EINVAL) {
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "no rail through port " + place.port().number(),
                        e);
                throw new NoPortException(); // completion queues of Gaudi belong to one port
            }
            throw e;
        }
    }

    @Override
    public void answer(Link link, RailId rail, RailAddress peer) {
        Connection connection = connector.find(link);
        if (connection != null) {
            run(0, () -> make(connection, rail, () -> answer(connection, rail, peer)));
        }
    }

    private Made answer(Connection connection, RailId id, RailAddress peer) {
        List<Place> near = places(connection).stream()
                .filter(place -> place.isActive() && place.port().nearness(peer) >= 0)
                .sorted(Comparator.comparingInt((Place place) -> -place.port().nearness(peer)))
                .toList();
        for (Place place : near) {
            if (id.rail() < most && connection.rails().reserve(id, place)) {
                return open(place, peer);
            }
        }
        if (id.rail() >= most || places(connection).size() < id.rail()) {
            throw new NoPortException();
        }
        return null; // a port may become active later
    }

    /** A queue pair, with its posts and device. */
    private record Made(RailQueuePair qp, Posts posts, Adapter adapter) {}

    private interface Maker {
        /** Creates a queue pair; returns null if that is impossible now. */
        Made make();
    }

    private void make(Connection connection, RailId id, Maker maker) {
        boolean last = false;
        Made made = null;
        try {
            made = maker.make();
        } catch (NoPortException e) {
            last = true;
        } catch (VerbsException e) {
            log(connection, id, e);
        } finally {
            made(connection, id, made, last);
        }
    }

    private void made(Connection connection, RailId id, Made made, boolean last) {
        Link link = connection.link();
        Engine engine = connector.engine();
        if (made == null) {
            connection.rails().cancel(id);
            engine.execute(() -> link.rails().setup().notMade(id, last));
        } else if (connection.rails().made(id, made.qp)) {
            RailAddress address = made.qp.address();
            engine.execute(() -> link.rails().setup().made(id, made.posts, made.adapter.load(), address));
        } else {
            close(made.qp, made.adapter);
        }
    }

    /** Closes a queue pair. Errors of a lost device are ignored. */
    private static void close(RailQueuePair qp, Adapter adapter) {
        try {
            if (qp != null) {
                qp.close();
            }
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing the queue pair of a rail failed", e);
        } finally {
            adapter.unreserve();
        }
    }

    private static void log(Connection connection, RailId id, VerbsException why) {
        LOG.log(System.Logger.Level.DEBUG, "rail " + id.rail() + " of " + connection.address() + " failed", why);
    }

    /** Creates the queue pair of a rail, and connects it to the peer's if that is known. */
    private Made open(Place place, RailAddress peer) {
        Adapter adapter = place.adapter();
        adapter.use();
        RailQueuePair qp = null;
        boolean reserved = false;
        boolean done = false;
        try {
            adapter.reserve();
            reserved = true;
            AtomicReference<Posts> posts = new AtomicReference<>();
            var attr = QueuePairs.attr(adapter.abilities(), adapter.cq(), limits.sendDepth(), RECEIVES);
            qp = peer == null
                    ? place.port().open(adapter.pd(), attr, made -> posts.set(QueuePairs.posts(made)))
                    : place.port().open(adapter.pd(), attr, made -> posts.set(QueuePairs.posts(made)), peer);
            if (peer != null) {
                boolean unused = qp.connect(peer);
            }
            done = true;
            return new Made(qp, posts.get(), adapter);
        } finally {
            if (reserved && !done) {
                close(qp, adapter);
            }
            adapter.unuse();
        }
    }

    @Override
    public void connect(Link link, RailId rail, RailAddress peer) {
        Connection connection = connector.find(link);
        if (connection != null) {
            run(0, () -> connect(connection, rail, peer));
        }
    }

    private void connect(Connection connection, RailId id, RailAddress peer) {
        RailQueuePair qp = connection.rails().queuePair(id);
        boolean connected = false;
        try {
            connected = qp != null && qp.connect(peer);
        } catch (VerbsException e) {
            log(connection, id, e);
        } finally {
            connected(connection, id, connected);
        }
    }

    private void connected(Connection connection, RailId id, boolean good) {
        connector.engine().execute(() -> {
            if (good) {
                connection.link().rails().setup().connected(id);
            } else {
                connection.link().rails().setup().notConnected(id);
            }
        });
    }

    @Override
    public void close(Link link, RailId rail) {
        Connection connection = connector.find(link);
        if (connection == null) {
            return; // closed with the connection
        }
        Adapter adapter = connection.rails().adapter(rail);
        if (adapter != null) {
            adapter.drain(links, devices); // completions go with the queue pair
            connection.rails().close(rail);
        }
    }
}
