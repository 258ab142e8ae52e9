/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.QpAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmOption;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.UdParam;
import io.verbs4j.cm.spi.CmEndpoint;
import io.verbs4j.cm.spi.CmSignal;
import io.verbs4j.cm.spi.CmSink;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;

/** An end of the connection manager in Java. Non-final fields are guarded by the engine. */
// Longer than 500 lines because it is the state machine of one end, in which each message and each call may meet each
// state.
final class Endpoint extends Addressed implements CmEndpoint {
    private enum State {
        NEW,
        BOUND,
        ADDRESS_RESOLVED,
        ROUTE_RESOLVED,
        LISTENING,
        /** There is, or was, a connection or a datagram request. */
        CONNECTED,
        CLOSED
    }

    private static final State[] OPEN_STATES =
            EnumSet.complementOf(EnumSet.of(State.CLOSED)).toArray(new State[0]);

    /** Maximum number of waiting requests, the same as net.rdma_ucm.max_backlog. */
    static final int MAX_BACKLOG = 1024;

    /** How many ports are tried if the program does not choose one. */
    private static final int PORT_ATTEMPTS = 100;

    private static final int GROUP_QPN = 0xff_ffff;

    private final Context context;
    private final Limits limits;
    private CmSink sink;
    private State state = State.NEW;

    /** Set for listeners. */
    private Backlog backlog;

    private long keepAliveNanos;

    /** For an end made by a request: the backlog that it counts in, or null when it no longer counts. */
    private Backlog counts;

    private Connection connection;

    /** Whether a listener was looked up by name and not found. */
    private boolean soughtName;

    // only for datagram requests
    private SidrTable.Asker asker;
    private long askerTid;
    private long askerService;

    Endpoint(Engine engine, Context context, Limits limits, int portSpace, CmSink sink) {
        super(engine, portSpace);
        this.context = context;
        this.limits = limits;
        this.sink = sink;
        engine.port().endOpened(context, this);
        engine.endOpened();
    }

    private VerbsException wrong(String verb, String message) {
        return new VerbsException(Errno.EINVAL, verb, message);
    }

    private void require(String verb, State... allowed) {
        for (State one : allowed) {
            if (state == one) {
                return;
            }
        }
        throw state == State.CLOSED
                ? new VerbsException(Errno.EBADF, verb, "the id is closed")
                : wrong(verb, "not allowed in this state of the id: " + state);
    }

    // ---- addresses

    @Override
    public void bind(InetSocketAddress address) {
        bind("bind_addr", address);
    }

    private void bind(String verb, InetSocketAddress address) {
        synchronized (engine) {
            require(verb, State.NEW);
            takeAddress(verb, this, address);
            state = State.BOUND;
        }
        if (address.getPort() == 0) {
            leaveOthersPorts(verb);
        }
    }

    /**
     * Chooses another port while a listener of another process has the current one. Does not hold the engine's monitor
     * while it reads files.
     */
    private void leaveOthersPorts(String verb) {
        for (int i = 0; i < PORT_ATTEMPTS; i++) {
            int chosen;
            synchronized (engine) {
                if (state != State.BOUND || !byName) {
                    return;
                }
                chosen = localPort;
            }
            if (engine.port().lookUp(portSpace, chosen) == null) {
                return;
            }
            synchronized (engine) {
                if (state != State.BOUND) {
                    return;
                }
                engine.ports().release(this);
                localPort = engine.ports().bind(verb, this, 0);
            }
        }
    }

    @Override
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long timeoutMillis) {
        String verb = "resolve_addr";
        InetAddress host = host(verb, destination);
        String unfit = portSpace == PortSpace.TCP ? Addresses.whyNoPeer(host) : null;
        boolean byName = host.isAnyLocalAddress() || Addresses.isLocalhost(engine.port(), Gid.of(host));
        Gid to = unfit != null ? null : Gid.of(host);
        if (byName) { // reads files, so without the engine's monitor
            to = localListener(destination.getPort());
        }
        Gid chosen = to == null ? null : engine.port().sourceFor(to);
        synchronized (engine) {
            require(verb, State.NEW, State.BOUND);
            if (state == State.NEW) {
                Gid from = chosen;
                if (source != null && !host(verb, source).isAnyLocalAddress()) {
                    from = Addresses.local(engine.port(), source.getAddress(), verb);
                }
                if (from == null) {
                    failed(host, unfit);
                    return;
                }
                localGid = from;
                localPort = engine.ports().bind(verb, this, source == null ? 0 : source.getPort());
            } else if (localGid == null) {
                localGid = chosen;
            }
            if (localGid == null || to == null || localGid.isIpv4Mapped() != to.isIpv4Mapped()) {
                state = State.BOUND;
                failed(host, unfit);
                return;
            }
            remoteGid = to;
            remotePort = destination.getPort();
            state = State.ADDRESS_RESOLVED;
            tell(CmEventType.ADDR_RESOLVED, 0, null, null, null);
        }
    }

    private void failed(InetAddress host, String reason) {
        if (state != State.CLOSED && sink != null) {
            String why = reason != null ? reason : Addresses.whyNoWay(engine.port(), host);
            sink.event(CmEventType.ADDR_ERROR, -Errno.EADDRNOTAVAIL, null, null, null, why);
        }
    }

    /** Returns the address of a listener that is known only by name. */
    private Gid localListener(int port) {
        boolean own;
        synchronized (engine) {
            own = engine.ports().isListenedOn(portSpace, port);
            soughtName = false;
        }
        Gid found = own ? null : engine.port().lookUp(portSpace, port);
        synchronized (engine) {
            soughtName = !own && found == null;
        }
        return found != null ? found : Addresses.loopback(engine.port());
    }

    @Override
    public void resolveRoute(long timeoutMillis) {
        synchronized (engine) {
            require("resolve_route", State.ADDRESS_RESOLVED);
            state = State.ROUTE_RESOLVED;
            tell(CmEventType.ROUTE_RESOLVED, 0, null, null, null);
        }
    }

    // ---- listening

    @Override
    public void listen(int most) {
        String verb = "listen";
        boolean unbound;
        synchronized (engine) {
            require(verb, State.NEW, State.BOUND);
            unbound = state == State.NEW;
        }
        if (unbound) {
            bind(verb, new InetSocketAddress(0));
        }
        synchronized (engine) {
            require(verb, State.BOUND);
            if (!engine.ports().fits(this, localPort, true)) {
                throw new VerbsException(Errno.EADDRINUSE, verb, "another id listens on port " + localPort);
            }
            backlog = new Backlog(most <= 0 ? MAX_BACKLOG : Math.min(most, MAX_BACKLOG));
            state = State.LISTENING;
        }
        boolean done = false;
        try {
            engine.port().publish(portSpace, localPort, published(), byName);
            done = true;
        } finally {
            if (!done) {
                synchronized (engine) {
                    state = state == State.LISTENING ? State.BOUND : state;
                }
            }
        }
        boolean closed;
        synchronized (engine) {
            closed = state != State.LISTENING;
        }
        if (closed) { // in the meantime
            engine.port().withdraw(portSpace, localPort, published());
        }
    }

    private Gid published() {
        return localGid == null ? Addresses.loopback(engine.port()) : localGid;
    }

    boolean isListening() {
        return state == State.LISTENING;
    }

    Backlog backlog() {
        return backlog;
    }

    /** Makes an end for a request that came to this listener. */
    Endpoint child(Gid local, Gid remote, int port) {
        Endpoint child = new Endpoint(engine, context, limits, portSpace, null);
        child.localGid = local;
        child.localPort = localPort;
        child.remoteGid = remote;
        child.remotePort = port;
        child.state = State.CONNECTED;
        child.options.inherit(options);
        return child;
    }

    void requested(Endpoint by, Connection c) {
        connection = c;
        waitsAt(by);
    }

    void asked(Endpoint by, SidrTable.Asker who, long tid, long serviceId) {
        asker = who;
        askerTid = tid;
        askerService = serviceId;
        waitsAt(by);
    }

    private void waitsAt(Endpoint by) {
        counts = by.backlog;
        counts.add(remoteGid);
    }

    /**
     * Removes this end from its backlog. An unanswered request counts even if its peer has given up, because otherwise
     * untaken events could accumulate without limit. An accepted one counts until the peer has confirmed.
     */
    private void countsNoMore() {
        if (counts != null) {
            counts.remove(remoteGid, connection);
            counts = null;
        }
    }

    /** Called when an accepted connection is established or has failed. */
    void handshakeEnded(Connection c) {
        if (counts != null && counts.isUnconfirmed(c)) {
            countsNoMore();
        }
    }

    CmSink sink() {
        return sink;
    }

    void sink(CmSink value) {
        sink = value;
    }

    // ---- connecting

    @Override
    public void connect(ConnParam param) {
        String verb = "connect";
        synchronized (engine) {
            require(verb, State.ROUTE_RESOLVED);
            if (portSpace == PortSpace.UDP) {
                ConnectionSetup.checkLength(verb, param, SidrReq.PRIVATE_DATA_LENGTH - CmaHeader.LENGTH);
                state = State.CONNECTED;
                engine.sidr().ask(this, param);
                return;
            }
            ConnectionSetup.checkLength(verb, param, Req.PRIVATE_DATA_LENGTH - CmaHeader.LENGTH);
            connection = ConnectionSetup.request(engine, this, param);
            state = State.CONNECTED;
            connection.request(ConnectionSetup.message(engine, this, connection, param));
        }
    }

    @Override
    public void accept(ConnParam param) {
        String verb = "accept";
        synchronized (engine) {
            require(verb, State.CONNECTED);
            if (asker != null) {
                ConnectionSetup.checkLength(verb, param, SidrRep.PRIVATE_DATA_LENGTH);
                answer(0, param.qpNum(), param.privateData());
                return;
            }
            if (connection != null
                    && (connection.state == Connection.State.IDLE || connection.state == Connection.State.TIMEWAIT)) {
                throw new VerbsException(Errno.ECONNABORTED, verb, "the peer gave up");
            }
            requireConnection(verb, Connection.State.REQ_RCVD);
            ConnectionSetup.checkLength(verb, param, Rep.PRIVATE_DATA_LENGTH);
            if (counts != null) {
                counts.accepted(connection, engine.now());
            }
            connection.accept(ConnectionSetup.answer(engine, this, connection, param));
        }
    }

    private void answer(int status, int qpNum, byte[] data) {
        countsNoMore();
        SidrTable.Asker who = asker;
        asker = null;
        engine.sidr().answer(this, who, askerTid, askerService, status, qpNum, data);
    }

    private void requireConnection(String verb, Connection.State... allowed) {
        if (connection != null) {
            for (Connection.State one : allowed) {
                if (connection.state == one) {
                    return;
                }
            }
        }
        throw wrong(
                verb,
                "not allowed in this state of the connection: " + (connection == null ? "none" : connection.state));
    }

    @Override
    public void reject(int reason, byte[] privateData) {
        String verb = "reject";
        synchronized (engine) {
            require(verb, State.CONNECTED);
            if (asker != null) {
                ConnectionSetup.checkLength(
                        verb, ConnParam.DEFAULT.withPrivateData(privateData), SidrRep.PRIVATE_DATA_LENGTH);
                answer(SidrTable.REFUSED, 0, privateData);
                return;
            }
            requireConnection(verb, Connection.State.REQ_RCVD, Connection.State.REP_RCVD, Connection.State.REP_SENT);
            ConnectionSetup.checkLength(verb, ConnParam.DEFAULT.withPrivateData(privateData), Rej.PRIVATE_DATA_LENGTH);
            countsNoMore();
            connection.reject(reason, privateData);
        }
    }

    @Override
    public void establish() {
        synchronized (engine) {
            requireConnection("establish", Connection.State.REP_RCVD);
            connection.establish();
        }
    }

    @Override
    public void communicationEstablished() {
        synchronized (engine) {
            requireConnection("notify", Connection.State.REP_SENT, Connection.State.ESTABLISHED);
            connection.communicating();
        }
    }

    @Override
    public void disconnect() {
        synchronized (engine) {
            if (connection == null) {
                throw wrong("disconnect", "the id has no connection");
            }
            switch (connection.state) {
                case REQ_SENT, REP_RCVD, REQ_RCVD, REP_SENT ->
                    throw wrong("disconnect", "not connected yet; call reject(), or close the id");
                default -> connection.disconnect();
            }
        }
    }

    @Override
    public int unfinishedSends(QueuePair qp) {
        return engine.port().unfinishedSends(qp.qpNum());
    }

    @Override
    public long failedSends(QueuePair qp) {
        return engine.port().failedSends(qp.qpNum());
    }

    @Override
    public CmSignal newSignal() {
        return engine.port().newSignal();
    }

    @Override
    public void keepAlive(long nanos) {
        synchronized (engine) {
            keepAliveNanos = Math.max(0, nanos);
            if (connection != null) {
                connection.keepAlive(keepAliveNanos);
            }
        }
    }

    long keepAliveNanos() {
        return keepAliveNanos;
    }

    /** Called when the connection has been removed. */
    void connectionEnded(Connection c) {
        handshakeEnded(c);
        if (c.active && state == State.CONNECTED && connection == c && c.remoteId == 0) {
            state = State.ROUTE_RESOLVED; // it failed before the peer replied, so it can be tried again
        }
    }

    /** Reports the result of a datagram request. */
    void asked(int type, int status, ConnParam conn, UdParam ud) {
        if (type != CmEventType.ESTABLISHED && state == State.CONNECTED) {
            state = State.ROUTE_RESOLVED;
        }
        tell(type, status, conn, ud, null);
    }

    void tell(int type, int status, ConnParam conn, UdParam ud, Object told) {
        if (state != State.CLOSED && sink != null) {
            sink.event(
                    type,
                    status,
                    conn,
                    ud,
                    told,
                    soughtName ? Addresses.whereSought(engine.port(), remotePort, type, status) : null);
        }
    }

    // ---- attributes

    @Override
    public QpAttr qpAttr(int target) {
        synchronized (engine) {
            String verb = "init_qp_attr";
            require(verb, State.ROUTE_RESOLVED, State.CONNECTED);
            return portSpace == PortSpace.UDP
                    ? QpMoves.datagrams(verb, target)
                    : QpMoves.connected(verb, target, connection, sgidIndex());
        }
    }

    @Override
    public void setOption(int option, int value) {
        String verb = "set_option";
        synchronized (engine) {
            require(verb, OPEN_STATES);
            boolean asked = connection != null && connection.state == Connection.State.REQ_RCVD;
            boolean routed = state == State.ROUTE_RESOLVED || state == State.CONNECTED;
            switch (option) {
                case CmOption.TOS -> EndOptions.requireBefore("resolve_route or accept", option, !routed || asked);
                case CmOption.REUSEADDR -> EndOptions.requireBefore("bind_addr", option, state == State.NEW);
                case CmOption.AFONLY ->
                    EndOptions.requireBefore("listen", option, state == State.NEW || state == State.BOUND);
                case CmOption.ACK_TIMEOUT -> {
                    if (portSpace == PortSpace.UDP) {
                        throw wrong(verb, "ACK_TIMEOUT is for connections: datagrams are not acknowledged");
                    }
                    EndOptions.requireBefore("connect or accept", option, state != State.CONNECTED || asked);
                }
                default -> throw new VerbsException(Errno.EOPNOTSUPP, verb, "unknown option " + option);
            }
            options.set(verb, option, value);
            if (asked) {
                ConnectionSetup.options(this, connection);
            }
        }
    }

    Limits limits() {
        return limits;
    }

    // ---- groups

    @Override
    public void joinMulticast(InetAddress group, Object told) {
        String verb = "join_multicast";
        Gid gid = Gid.of(group);
        synchronized (engine) {
            require(verb, State.BOUND, State.ADDRESS_RESOLVED, State.ROUTE_RESOLVED, State.CONNECTED);
            if (portSpace != PortSpace.UDP) {
                throw wrong(verb, "only ids of port space UDP can join groups");
            }
            if (localGid == null || !gid.isMulticast() || gid.isIpv4Mapped() != localGid.isIpv4Mapped()) {
                throw wrong(verb, group + " is not a group that can be joined by an id bound to " + localAddress());
            }
            tell(CmEventType.MULTICAST_JOIN, 0, null, ud(gid, GROUP_QPN, PortSpace.UDP_QKEY), told);
        }
    }

    @Override
    public void leaveMulticast(InetAddress group) {
        // the device detaches through the queue pair, which this end does not have
    }

    // ---- close

    @Override
    public Context context() {
        return context;
    }

    @Override
    public void close() {
        boolean published;
        synchronized (engine) {
            if (state == State.CLOSED) {
                return;
            }
            published = state == State.LISTENING;
            state = State.CLOSED;
            engine.ports().release(this);
            if (asker != null) {
                answer(SidrTable.REFUSED, 0, new byte[0]);
            }
            engine.sidr().forget(this);
            countsNoMore();
            if (connection != null) {
                connection.abandon();
            }
            engine.endClosed();
            engine.port().endClosed(context, this);
        }
        if (published) {
            engine.port().withdraw(portSpace, localPort, published());
        }
    }

    @Override
    public String toString() {
        return "id " + PortSpace.toString(portSpace) + " " + localAddress() + " to " + peerAddress();
    }
}
