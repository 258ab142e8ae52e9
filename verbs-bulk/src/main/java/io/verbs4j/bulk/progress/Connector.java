/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.connect.ConnectionRequest;
import io.verbs4j.bulk.connect.ConnectionSide;
import io.verbs4j.bulk.connect.DatagramsWantedException;
import io.verbs4j.bulk.connect.PeerConnection;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.bulk.datagram.DatagramQueuePair;
import io.verbs4j.bulk.recovery.Recovery;
import io.verbs4j.bulk.ring.EntryCode;
import io.verbs4j.bulk.strategy.Abilities;
import io.verbs4j.bulk.strategy.Posts;
import io.verbs4j.bulk.strategy.Protocol;
import io.verbs4j.bulk.strategy.QueuePairs;
import io.verbs4j.bulk.transfer.Limits;
import io.verbs4j.bulk.transfer.Link;
import io.verbs4j.bulk.transfer.LinkEnd;
import io.verbs4j.bulk.transfer.LinkTable;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Makes connections, initiated by this side or by peers, and closes them. Any thread may use it. */
public final class Connector implements LinkEnd {
    private static final String CONNECT = "bulk_connect";
    private static final int EPOCH = 1;
    private static final long NAP_NANOS = 100_000;

    private final Devices devices;
    private final LinkTable links;
    private final Limits limits;
    private final LinkEvents events;
    private final long endpoint;
    private final Map<Integer, Connection> connections = new ConcurrentHashMap<>();
    private final AtomicInteger making = new AtomicInteger();
    private final Reconnector reconnector;
    private final Dialers dialers = new Dialers();
    private final RailConnector rails;
    private Engine engine;
    private volatile boolean closed;

    /**
     * Creates the connector of an endpoint.
     *
     * @param endpoint its identifier
     * @param recoveryNanos time limit for recovering a lost connection; 0 disables recovery
     * @param most maximum number of queue pairs of a connection
     */
    public Connector(
            Devices devices,
            LinkTable links,
            Limits limits,
            long endpoint,
            LinkEvents events,
            long recoveryNanos,
            int most) {
        this.devices = devices;
        this.links = links;
        this.limits = limits;
        this.events = events;
        this.endpoint = endpoint;
        reconnector = new Reconnector(this, links, events, recoveryNanos, dialers);
        rails = new RailConnector(this, devices, links, limits, dialers, most);
    }

    /** Sets the engine that runs the connections; called before any connection exists. */
    public void engine(Engine value) {
        engine = value;
    }

    /** Stops making connections; attempts in progress end soon. */
    public void close() {
        closed = true;
        dialers.close();
    }

    /** Returns the connection of a link, or null if it has ended. */
    Connection find(Link link) {
        return connections.get(link.id());
    }

    Devices devices() {
        return devices;
    }

    Engine engine() {
        return engine;
    }

    /** Runs a task that makes a connection, unless the endpoint is closed. */
    void making(Runnable task) {
        making.incrementAndGet();
        try {
            if (!closed) {
                task.run();
            }
        } finally {
            making.decrementAndGet();
        }
    }

    /** Waits until no connection is being made, after {@link #close()}. Returns false on timeout. */
    public boolean awaitIdle(long nanos) {
        long start = System.nanoTime();
        while (making.get() > 0 && System.nanoTime() - start < nanos) {
            LockSupport.parkNanos(NAP_NANOS);
        }
        return making.get() == 0;
    }

    @Override
    public void close(Link link) {
        Connection connection = connections.remove(link.id());
        if (connection != null) {
            connection.end();
        }
    }

    @Override
    public void release(Link link) {
        Connection connection = connections.get(link.id());
        if (connection != null) {
            Adapter adapter = connection.adapter();
            adapter.drain(links, devices); // completions go with the queue pair
            closeRails(connection);
            connection.release();
            if (adapter.isLost() && !connection.usesDatagrams()) {
                adapter.drain(links, devices); // it may have refused to fail the queue pair, which received until now
            }
        }
    }

    /** Closes the queue pairs of a connection's rails, after their completions were passed on. */
    void closeRails(Connection connection) {
        connection.rails().adapters().forEach(adapter -> adapter.drain(links, devices));
        connection.rails().closeAll();
    }

    @Override
    public void suspended(Link link) {
        Connection connection = connections.get(link.id());
        if (connection != null) {
            events.recovering(link);
            reconnector.suspended(connection);
        }
    }

    @Override
    public void ended(Link link) {
        events.down(link);
    }

    /** Connects through the first device that can reach the address. */
    public Link connect(InetSocketAddress address, long nanos) {
        VerbsException noWay = new VerbsException(Errno.ENODEV, CONNECT, "all devices of the endpoint are lost");
        for (Adapter adapter : devices.live()) {
            try {
                return connect(adapter, address, nanos);
            } catch (VerbsException e) {
                if (!leadsNowhere(e) && !adapter.isLost(e.errno())) {
                    throw e;
                }
                noWay = e;
            }
        }
        throw noWay;
    }

    /** Whether a device does not lead to a peer, so that another one may. */
    static boolean leadsNowhere(VerbsException e) {
        return e.errno() == Errno.EADDRNOTAVAIL || e.errno() == Errno.ENETUNREACH;
    }

    private Link connect(Adapter adapter, InetSocketAddress address, long nanos) {
        boolean datagrams = adapter.abilities().usesDatagrams();
        long start = System.nanoTime();
        try {
            return connect(adapter, address, nanos, datagrams);
        } catch (DatagramsWantedException e) {
            if (datagrams || !adapter.abilities().has(Abilities.DATAGRAMS)) {
                throw e;
            }
            return connect(adapter, address, nanos - (System.nanoTime() - start), true);
        }
    }

    private Link connect(Adapter adapter, InetSocketAddress address, long nanos, boolean datagrams) {
        return establish(adapter, address, false, datagrams, connection -> {
            if (!datagrams) {
                connection.home().openRing(); // the peer's abilities are not known yet
            }
            boolean receives = datagrams || adapter.abilities().has(Abilities.SEND);
            Hello hello = reconnector.first(hello(connection.home(), EPOCH), connection);
            return dial(
                    connection,
                    connection.home(),
                    side(connection, connection.home(), hello, posts -> prepare(connection, posts, receives)),
                    nanos);
        });
    }

    /** Creates a queue pair and connects it to a peer that is compatible. */
    PeerConnection dial(Connection connection, AdapterHome home, ConnectionSide side, long nanos) {
        Adapter adapter = home.adapter();
        InetSocketAddress address = connection.address();
        PeerConnection made = adapter.connections().connect(side, address, nanos);
        String refusal = refusal(adapter, connection.usesDatagrams(), made.hello());
        if (refusal != null) {
            made.close();
            throw new VerbsException(Errno.EPROTO, CONNECT, "the peer at " + address + " can't be used: " + refusal);
        }
        return made;
    }

    /** Accepts a peer's request, or rejects it with the reason. */
    void accept(Adapter adapter, ConnectionRequest request) {
        boolean datagrams = request.isDatagrams();
        String refusal = refusal(adapter, datagrams, request.hello());
        if (closed) {
            request.reject(Rejections.CLOSED);
            return;
        }
        if (refusal != null) {
            if (!datagrams && adapter.abilities().usesDatagrams() && Hello.refusal(request.hello()) == null) {
                request.wantDatagrams();
            } else {
                request.reject(Rejections.UNFIT + refusal);
            }
            return;
        }
        Hello hello = Hello.decode(request.hello());
        if (hello.recovers() && hello.epoch() > EPOCH) {
            reconnector.accept(adapter, request, hello);
            return;
        }
        Protocol protocol = Protocol.of(adapter.abilities(), hello, datagrams);
        boolean ring = protocol.ring();
        Link unused = establish(adapter, request.peerAddress(), true, datagrams, connection -> {
            if (ring) {
                connection.home().openRing();
            }
            reconnector.expect(connection, hello);
            rails.agree(connection, hello, protocol, false); // the peer may offer before this side is up
            Hello own = reconnector.first(hello(connection.home(), EPOCH), connection);
            return request.accept(side(connection, connection.home(), own, posts -> prepare(connection, posts, !ring)));
        });
    }

    /** Makes the connection of a new link. */
    private interface Maker {
        PeerConnection make(Connection connection);
    }

    private Link establish(
            Adapter adapter, InetSocketAddress address, boolean accepted, boolean datagrams, Maker maker) {
        making.incrementAndGet();
        try {
            requireOpen();
            return make(adapter, address, accepted, datagrams, maker);
        } finally {
            making.decrementAndGet();
        }
    }

    private Link make(Adapter adapter, InetSocketAddress address, boolean accepted, boolean datagrams, Maker maker) {
        AdapterHome home = AdapterHome.of(adapter);
        Connection connection = null;
        boolean done = false;
        try {
            Link link = new Link(links.reserve(), engine.transfers(), home);
            connection = new Connection(link, address, datagrams);
            PeerConnection made = maker.make(connection);
            Hello peer = Hello.decode(made.hello());
            events.up(link, peer.endpoint(), accepted);
            if (!connection.attach(made)) {
                made.close();
                events.down(link);
                throw closed ? shutDown() : new VerbsException(Errno.ECONNABORTED, CONNECT, address + " disconnected");
            }
            Protocol protocol = Protocol.of(adapter.abilities(), peer, datagrams);
            Recovery recovery = reconnector.agree(connection, peer, accepted);
            connection.met(peer, protocol);
            Connection met = connection;
            engine.execute(() -> {
                link.recovery().agree(recovery);
                if (!accepted) {
                    rails.agree(met, peer, protocol, true);
                }
                link.recovery().met(peer);
                link.up(peer, protocol);
                if (adapter.isLost()) {
                    link.deviceLost();
                }
            });
            made.onDisconnected(() -> engine.execute(() -> link.recovery().disconnected(EPOCH)));
            done = true;
            return link;
        } finally {
            if (!done) {
                abandon(home, connection);
            }
        }
    }

    /** Cleans up when the queue pair is closed or was never created. */
    private void abandon(AdapterHome home, Connection connection) {
        if (connection == null) {
            home.close();
        } else if (links.find(connection.link().id()) == null) {
            connections.remove(connection.link().id());
            connection.end();
        } else {
            Link link = connection.link();
            engine.execute(() -> link.fail(Errno.ECONNABORTED)); // which ends it soon
        }
    }

    private void prepare(Connection connection, Posts posts, boolean receives) {
        Link link = connection.link();
        int errno = link.prepare(posts, receives);
        if (errno != 0) {
            throw new VerbsException(errno, CONNECT, "the device accepts no receives: " + Errno.toString(errno));
        }
        events.made(link, connection.address());
        connections.put(link.id(), connection);
        links.add(link);
    }

    /** Returns this side's hello for a connection, new or recovered. */
    Hello hello(AdapterHome home, int epoch) {
        return rails.hello(new Hello(
                Hello.VERSION,
                limits.slots(),
                epoch,
                endpoint,
                home.ringAddress(),
                home.ringKey(),
                limits.slotBytes(),
                home.adapter().abilities().bits()));
    }

    /** Returns this side's contribution to a connection: a queue pair, whose receives {@code prepare} posts. */
    ConnectionSide side(Connection connection, AdapterHome home, Hello hello, Consumer<Posts> prepare) {
        Adapter adapter = home.adapter();
        return connection.usesDatagrams()
                ? ConnectionSide.datagrams(
                        adapter.pd(), hello, port -> datagrams(connection, home, port, hello, prepare))
                : ConnectionSide.reliable(
                        adapter.pd(),
                        hello,
                        QueuePairs.attr(adapter.abilities(), adapter.cq(), limits.sendDepth(), limits.slots()),
                        qp -> {
                            connection.queuePair(qp);
                            prepare.accept(QueuePairs.posts(qp));
                        });
    }

    private static DatagramQueuePair datagrams(
            Connection connection, AdapterHome home, int port, Hello hello, Consumer<Posts> prepare) {
        Adapter adapter = home.adapter();
        DatagramQueuePair made =
                connection.link().datagrams().make(home, adapter.abilities(), adapter.cq(), port, hello.epoch());
        boolean done = false;
        try {
            prepare.accept(made.posts());
            done = true;
            return made;
        } finally {
            if (!done) {
                made.close();
            }
        }
    }

    private static String refusal(Adapter adapter, boolean datagrams, byte... data) {
        String refusal = Hello.refusal(data);
        return refusal == null ? Protocol.refusal(adapter.abilities(), Hello.decode(data), datagrams) : refusal;
    }

    private void requireOpen() {
        if (closed) {
            throw shutDown();
        }
    }

    private static VerbsException shutDown() {
        return new VerbsException(EntryCode.ESHUTDOWN, CONNECT, "the endpoint is closed; open another one");
    }
}
