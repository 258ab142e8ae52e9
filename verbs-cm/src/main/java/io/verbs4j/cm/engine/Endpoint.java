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
import io.verbs4j.cm.spi.CmSink;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** An end of the connection manager in Java. All but what is final is guarded by the engine. */
final class Endpoint extends Addressed implements CmEndpoint {
    private enum State {
        NEW,
        BOUND,
        ADDRESS_RESOLVED,
        ROUTE_RESOLVED,
        LISTENING,
        /** There is, or was, a connection, or a request for datagrams. */
        CONNECTED,
        CLOSED
    }

    /** Most requests that may wait, as net.rdma_ucm.max_backlog has it. */
    static final int MAX_BACKLOG = 1024;

    private static final int GROUP_QPN = 0xff_ffff;

    private final Context context;
    private final Limits limits;
    private CmSink sink;
    private State state = State.NEW;

    private int backlog;
    private int waiting;
    private long keepAliveNanos;

    /** Of an end that came to be by a request that is not answered. */
    private Endpoint listener;

    private Connection connection;

    // Of a request for datagrams.
    private SidrTable.Asker asker;
    private long askerTid;
    private long askerService;

    Endpoint(Engine engine, Context context, Limits limits, int portSpace, CmSink sink) {
        super(engine, portSpace);
        this.context = context;
        this.limits = limits;
        this.sink = sink;
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
        throw wrong(verb, state == State.CLOSED ? "the id is closed" : "not in this state of the id: " + state);
    }

    // ---- addresses

    @Override
    public void bind(InetSocketAddress address) {
        String verb = "bind_addr";
        synchronized (engine) {
            require(verb, State.NEW);
            takeAddress(verb, this, address);
            state = State.BOUND;
        }
    }

    @Override
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long timeoutMillis) {
        String verb = "resolve_addr";
        InetAddress host = host(verb, destination);
        Gid to = Gid.of(host);
        if (Addresses.isLocalhost(engine.port(), to)) { // the file system is looked at without the engine's monitor
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
                    failed();
                    return;
                }
                localGid = from;
                localPort = engine.ports().bind(verb, this, source == null ? 0 : source.getPort());
            } else if (localGid == null) {
                localGid = chosen;
            }
            if (localGid == null || to == null || localGid.isIpv4Mapped() != to.isIpv4Mapped()) {
                state = State.BOUND;
                failed();
                return;
            }
            remoteGid = to;
            remotePort = destination.getPort();
            state = State.ADDRESS_RESOLVED;
            tell(CmEventType.ADDR_RESOLVED, 0, null, null, null);
        }
    }

    private void failed() {
        tell(CmEventType.ADDR_ERROR, -Errno.EADDRNOTAVAIL, null, null, null);
    }

    private Gid localListener(int port) {
        boolean own;
        synchronized (engine) {
            own = engine.ports().isListenedOn(portSpace, port);
        }
        Gid found = own ? null : engine.port().lookUp(portSpace, port);
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
        synchronized (engine) {
            require(verb, State.NEW, State.BOUND);
            if (state == State.NEW) {
                takeAddress(verb, this, new InetSocketAddress(0));
                state = State.BOUND;
            }
            if (!engine.ports().fits(this, localPort, true)) {
                throw new VerbsException(Errno.EADDRINUSE, verb, "another id listens on port " + localPort);
            }
            backlog = most <= 0 ? MAX_BACKLOG : Math.min(most, MAX_BACKLOG);
            state = State.LISTENING;
        }
        Gid published = localGid == null ? Addresses.loopback(engine.port()) : localGid;
        engine.port().publish(portSpace, localPort, published);
    }

    boolean isListening() {
        return state == State.LISTENING;
    }

    boolean isFull() {
        return waiting >= backlog;
    }

    /** A new end for a request that came to this listener. */
    Endpoint child(Gid local, Gid remote, int port) {
        Endpoint child = new Endpoint(engine, context, limits, portSpace, null);
        child.localGid = local;
        child.localPort = localPort;
        child.remoteGid = remote;
        child.remotePort = port;
        child.state = State.CONNECTED;
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
        listener = by;
        by.waiting++;
    }

    /**
     * The program has answered. Until it does the request counts, also where its peer has given up: events that nobody takes would be without limit else.
     */
    private void waitsNoMore() {
        if (listener != null) {
            listener.waiting--;
            listener = null;
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
                checkLength(verb, param, SidrReq.PRIVATE_DATA_LENGTH - CmaHeader.LENGTH);
                state = State.CONNECTED;
                engine.sidr().ask(this, param);
                return;
            }
            checkLength(verb, param, Req.PRIVATE_DATA_LENGTH - CmaHeader.LENGTH);
            connection = ConnectionSetup.request(engine, this, param);
            state = State.CONNECTED;
            connection.request(ConnectionSetup.message(engine, this, connection, param));
        }
    }

    private void checkLength(String verb, ConnParam param, int most) {
        int length = param.privateData().length;
        if (length > most) {
            throw wrong(verb, "private data of " + length + " bytes; there is room for " + most);
        }
    }

    /** Private data behind the room that the addresses take. */
    byte[] behindHeader(int length, byte[] data) {
        byte[] all = new byte[length];
        System.arraycopy(data, 0, all, CmaHeader.LENGTH, data.length);
        return all;
    }

    @Override
    public void accept(ConnParam param) {
        String verb = "accept";
        synchronized (engine) {
            require(verb, State.CONNECTED);
            if (asker != null) {
                checkLength(verb, param, SidrRep.PRIVATE_DATA_LENGTH);
                answer(0, param.qpNum(), param.privateData());
                return;
            }
            requireConnection(verb, Connection.State.REQ_RCVD);
            checkLength(verb, param, Rep.PRIVATE_DATA_LENGTH);
            waitsNoMore();
            connection.accept(ConnectionSetup.answer(engine, this, connection, param));
        }
    }

    private void answer(int status, int qpNum, byte[] data) {
        waitsNoMore();
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
        throw wrong(verb, "not in this state of the connection: " + (connection == null ? "none" : connection.state));
    }

    @Override
    public void reject(int reason, byte[] privateData) {
        String verb = "reject";
        synchronized (engine) {
            require(verb, State.CONNECTED);
            if (asker != null) {
                checkLength(verb, ConnParam.DEFAULT.withPrivateData(privateData), SidrRep.PRIVATE_DATA_LENGTH);
                answer(SidrTable.REFUSED, 0, privateData);
                return;
            }
            requireConnection(verb, Connection.State.REQ_RCVD, Connection.State.REP_RCVD, Connection.State.REP_SENT);
            checkLength(verb, ConnParam.DEFAULT.withPrivateData(privateData), Rej.PRIVATE_DATA_LENGTH);
            waitsNoMore();
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
                throw wrong("disconnect", "there is no connection");
            }
            switch (connection.state) {
                case REQ_SENT, REP_RCVD, REQ_RCVD, REP_SENT ->
                    throw wrong("disconnect", "not connected yet; reject(), or close the id");
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

    /** The connection is gone for good. */
    void connectionEnded(Connection c) {
        if (c.active && state == State.CONNECTED && connection == c && c.remoteId == 0) {
            state = State.ROUTE_RESOLVED; // nothing came of it: it may be tried again
        }
    }

    /** What has come of a request for datagrams. */
    void asked(int type, int status, ConnParam conn, UdParam ud) {
        if (type != CmEventType.ESTABLISHED && state == State.CONNECTED) {
            state = State.ROUTE_RESOLVED;
        }
        tell(type, status, conn, ud, null);
    }

    void tell(int type, int status, ConnParam conn, UdParam ud, Object told) {
        if (state != State.CLOSED && sink != null) {
            sink.event(type, status, conn, ud, told);
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
            switch (option) {
                case CmOption.TOS -> require(verb, State.NEW, State.BOUND, State.ADDRESS_RESOLVED);
                case CmOption.REUSEADDR -> require(verb, State.NEW);
                case CmOption.AFONLY -> require(verb, State.NEW, State.BOUND);
                case CmOption.ACK_TIMEOUT ->
                    require(verb, State.NEW, State.BOUND, State.ADDRESS_RESOLVED, State.ROUTE_RESOLVED);
                default -> throw new VerbsException(Errno.EOPNOTSUPP, verb, "there is no option " + option);
            }
            options.set(verb, option, value);
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
                throw wrong(verb, "groups are for datagrams: port space UDP");
            }
            if (localGid == null || !gid.isMulticast() || gid.isIpv4Mapped() != localGid.isIpv4Mapped()) {
                throw wrong(verb, group + " is no group for an id bound to " + localAddress());
            }
            tell(CmEventType.MULTICAST_JOIN, 0, null, ud(gid, GROUP_QPN, PortSpace.UDP_QKEY), told);
        }
    }

    @Override
    public void leaveMulticast(InetAddress group) {
        // the device knows by the queue pair, which is not this one's
    }

    // ---- the end

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
            waitsNoMore();
            if (connection != null) {
                connection.abandon();
            }
            engine.endClosed();
        }
        if (published) {
            engine.port().withdraw(portSpace, localPort);
        }
    }
}
