/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmOption;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.RejectReason;
import io.verbs4j.cm.spi.CmEndpoint;
import io.verbs4j.cm.spi.CmSignal;
import io.verbs4j.cm.spi.CmSink;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Librdmacm;
import io.verbs4j.rdmacore.cm.layout.CmIdLayout;
import io.verbs4j.rdmacore.cm.layout.ConnParamLayout;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.layout.DeviceLayout;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.LongToIntFunction;

/**
 * A {@code struct rdma_cm_id}, always with a channel and never with a queue pair. Guarded by its monitor; the memory
 * belongs to librdmacm until the id is closed. Calls in the wrong state are rejected here, because librdmacm would
 * dereference a missing device.
 */
// Longer than 500 lines because each call of librdmacm for an id is checked against the same state under the same
// monitor.
final class NativeEnd implements CmEndpoint {
    private enum State {
        NEW,
        BOUND,
        ADDRESS_RESOLVED,
        ROUTE_RESOLVED,
        LISTENING,
        CONNECTED,
        /** The address belongs to another device than the program's. */
        STRAYED,
        CLOSED
    }

    /** Name of these objects in messages about a context's children. */
    static final String KIND = "id of the connection manager";

    private static final int NAME_MAX = 64;

    /** Most bytes of private data in an accept message. */
    private static final int MAX_ACCEPT_DATA = 196;

    private final NativeCm manager;
    private final CmChannel channel;
    private final int portSpace;
    private final DeviceAttr limits;
    private final CmGroups groups = new CmGroups();

    /** The peer's parameters if a connection request created this end; otherwise null. */
    private final ConnParam request;

    private CmSink sink;
    private long id;
    private State state = State.NEW;
    private boolean disconnected;

    /** Whether the program has accepted. */
    private boolean answered;

    /** Whether the peer has given up, or the connection has failed. */
    private boolean aborted;

    /** Timeout for this end's queue pair as set by the program; -1 if unset. */
    private int ackTimeout = -1;

    private InetSocketAddress local;
    private InetSocketAddress peer;

    private NativeEnd(NativeCm manager, CmChannel channel, int portSpace, DeviceAttr limits, ConnParam request) {
        this.manager = manager;
        this.channel = channel;
        this.portSpace = portSpace;
        this.limits = limits;
        this.request = request;
    }

    static NativeEnd create(NativeCm manager, int portSpace, CmSink sink) {
        DeviceAttr limits = manager.context().queryDevice();
        CmChannel channel = CmChannel.acquire();
        NativeEnd end = new NativeEnd(manager, channel, portSpace, limits, null);
        end.sink = sink;
        boolean done = false;
        try {
            end.id = channel.newId(portSpace);
            channel.add(end.id, end);
            done = true;
            return end;
        } finally {
            if (!done) {
                channel.release();
            }
        }
    }

    /** {@return whether the id is for datagrams, which decides what part of an event applies} */
    boolean isForDatagrams() {
        return portSpace == PortSpace.UDP;
    }

    /** {@return whether a connection request created this end} */
    boolean isPassive() {
        return request != null;
    }

    private long require(String verb, State... allowed) {
        for (State one : allowed) {
            if (state == one) {
                return id;
            }
        }
        throw state == State.CLOSED
                ? new VerbsException(Errno.EBADF, verb, "the id is closed")
                : new VerbsException(Errno.EINVAL, verb, "not allowed in this state of the id: " + state);
    }

    // ---- events

    /** Handles an event; called by one thread, which holds no id's lock. */
    void arrived(CmArrival arrival) {
        if (arrival.type() == CmEventType.CONNECT_REQUEST) {
            requested(arrival);
            return;
        }
        int type = arrival.type();
        int status = arrival.status();
        CmSink to;
        synchronized (this) {
            if (state == State.CLOSED) {
                return;
            }
            to = sink;
            switch (type) {
                case CmEventType.ADDR_RESOLVED -> {
                    readAddresses();
                    boolean ours = isOnOurDevice();
                    state = ours ? State.ADDRESS_RESOLVED : State.STRAYED;
                    type = ours ? type : CmEventType.ADDR_ERROR;
                    status = ours ? status : -Errno.EADDRNOTAVAIL;
                }
                case CmEventType.ADDR_ERROR -> status = status == -Errno.ENODEV ? -Errno.EADDRNOTAVAIL : status;
                case CmEventType.ROUTE_RESOLVED -> state = State.ROUTE_RESOLVED;
                // On iWARP the status is a negative errno, not a reason.
                case CmEventType.REJECTED -> {
                    status = status < 0 ? RejectReason.CONSUMER_DEFINED : status;
                    aborted = true;
                }
                case CmEventType.UNREACHABLE, CmEventType.CONNECT_ERROR -> aborted = true;
                case CmEventType.DISCONNECTED -> answerDisconnect();
                default -> {
                    // only delivered
                }
            }
        }
        to.event(type, status, arrival.conn(), arrival.ud(), groups.context(arrival.token()));
    }

    /**
     * Answers a peer's disconnect. The kernel answers only when the program disconnects as well; if the program forgot
     * to, the peer would retry for minutes.
     */
    private void answerDisconnect() {
        if (!disconnected) {
            disconnected = true;
            Librdmacm.rdma_disconnect(id);
        }
    }

    private void requested(CmArrival arrival) {
        if (!isCounted()) {
            Librdmacm.rdma_destroy_id(arrival.id()); // the context, and so the listener, is closed
            return;
        }
        channel.acquireAgain();
        NativeEnd child = new NativeEnd(manager, channel, portSpace, limits, arrival.conn());
        CmSink to;
        CmSink told = null;
        int inherited;
        synchronized (this) {
            to = state == State.CLOSED ? null : sink;
            inherited = ackTimeout;
        }
        boolean ours;
        synchronized (child) {
            child.id = arrival.id();
            child.state = State.CONNECTED;
            child.ackTimeout = inherited;
            child.readAddresses();
            ours = child.isOnOurDevice();
        }
        channel.add(arrival.id(), child);
        if (to != null && ours) { // otherwise a wildcard listener got it on another device
            told = to.connectRequest(child, arrival.conn());
        }
        if (told == null) {
            child.close();
            return;
        }
        synchronized (child) {
            child.sink = told;
        }
    }

    private boolean isCounted() {
        try {
            return manager.children().make("create_id", KIND, () -> true);
        } catch (VerbsException e) {
            return false;
        }
    }

    private void readAddresses() {
        local = SockAddrs.read(id + CmIdLayout.ROUTE_ADDR_SRC_STORAGE);
        peer = SockAddrs.read(id + CmIdLayout.ROUTE_ADDR_DST_STORAGE);
    }

    private boolean isBoundToDevice() {
        return NativeMemory.getLong(id + CmIdLayout.VERBS) != 0;
    }

    /** {@return whether the device that librdmacm has opened for the id is the program's} */
    private boolean isOnOurDevice() {
        long verbs = NativeMemory.getLong(id + CmIdLayout.VERBS);
        if (verbs == 0) {
            return false;
        }
        long device = NativeMemory.getLong(verbs + ContextLayout.DEVICE);
        return NativeMemory.getString(device + DeviceLayout.DEV_NAME, NAME_MAX).equals(manager.uverbsName());
    }

    // ---- addresses

    @Override
    public Context context() {
        return manager.context();
    }

    @Override
    public CmSignal newSignal() {
        return EventSignal.open();
    }

    @Override
    public synchronized int portNum() {
        return state != State.CLOSED && isBoundToDevice() ? NativeMemory.getByte(id + CmIdLayout.PORT_NUM) : 1;
    }

    @Override
    public synchronized void bind(InetSocketAddress address) {
        String verb = "bind_addr";
        InetAddress host = SockAddrs.host(verb, address);
        require(verb, State.NEW);
        try (Scratch c = new Scratch(SockAddrs.SIZE)) {
            SockAddrs.write(c.address(), host, address.getPort());
            CmErrors.check(verb, Librdmacm.rdma_bind_addr(id, c.address()));
        }
        readAddresses();
        if (isBoundToDevice() && !isOnOurDevice()) {
            state = State.STRAYED;
            throw new VerbsException(
                    Errno.EADDRNOTAVAIL,
                    verb,
                    address + " is an address of another device; close the id, and create one on that device");
        }
        state = State.BOUND;
    }

    @Override
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long timeoutMillis) {
        String verb = "resolve_addr";
        InetAddress to = SockAddrs.host(verb, destination);
        String unfit = isForDatagrams() ? null : SockAddrs.whyNoPeer(to);
        boolean named = source != null && !SockAddrs.host(verb, source).isAnyLocalAddress();
        InetAddress from =
                named ? source.getAddress() : SourceAddress.on(manager.attributes(), limits.physPortCnt(), to);
        CmSink told;
        int errno;
        synchronized (this) {
            require(verb, State.NEW, State.BOUND);
            boolean given = state == State.NEW && from != null;
            told = sink;
            if (unfit != null) {
                told.event(CmEventType.ADDR_ERROR, -Errno.EADDRNOTAVAIL, null, null, null, unfit);
                return;
            }
            try (Scratch src = new Scratch(SockAddrs.SIZE);
                    Scratch dst = new Scratch(SockAddrs.SIZE)) {
                if (given) {
                    SockAddrs.write(src.address(), from, source == null ? 0 : source.getPort());
                }
                SockAddrs.write(dst.address(), to, destination.getPort());
                int answer = Librdmacm.rdma_resolve_addr(
                        id, given ? src.address() : 0, dst.address(), millis(timeoutMillis));
                if (answer == 0) {
                    return;
                }
                errno = CmErrors.number(answer);
            }
            if (errno == Errno.EINVAL || errno == Errno.ENOMEM || errno == Errno.EADDRINUSE) {
                throw CmErrors.failed(verb, errno);
            }
        }
        // A missing route that the kernel detects at once is reported like one that it detects later.
        told.event(CmEventType.ADDR_ERROR, -(errno == Errno.ENODEV ? Errno.EADDRNOTAVAIL : errno), null, null, null);
    }

    private static int millis(long value) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, value));
    }

    @Override
    public synchronized void resolveRoute(long timeoutMillis) {
        String verb = "resolve_route";
        require(verb, State.ADDRESS_RESOLVED);
        CmErrors.check(verb, Librdmacm.rdma_resolve_route(id, millis(timeoutMillis)));
    }

    @Override
    public synchronized void listen(int backlog) {
        String verb = "listen";
        require(verb, State.NEW, State.BOUND);
        CmErrors.check(verb, Librdmacm.rdma_listen(id, Math.max(0, backlog)));
        state = State.LISTENING;
        readAddresses();
    }

    @Override
    public synchronized InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public synchronized InetSocketAddress peerAddress() {
        return peer;
    }

    // ---- connections

    @Override
    public synchronized void connect(ConnParam param) {
        String verb = "connect";
        require(verb, State.ROUTE_RESOLVED);
        give(verb, param, at -> Librdmacm.rdma_connect(id, at));
        state = State.CONNECTED;
    }

    @Override
    public synchronized void accept(ConnParam param) {
        String verb = "accept";
        require(verb, State.CONNECTED);
        if (request == null) {
            throw new VerbsException(Errno.EINVAL, verb, "this id was not created by a connection request");
        }
        if (aborted) {
            throw givenUp();
        }
        if (!isForDatagrams() && param.privateData().length > MAX_ACCEPT_DATA) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "private data of " + param.privateData().length + " bytes; the limit is " + MAX_ACCEPT_DATA);
        }
        try {
            give(verb, param, at -> Librdmacm.rdma_accept(id, at));
            answered = true;
        } catch (VerbsException e) {
            // The kernel knows already that the peer has given up, and its event is under way.
            throw e.errno() == Errno.EINVAL && !isForDatagrams() && !answered ? givenUp() : e;
        }
    }

    private static VerbsException givenUp() {
        return new VerbsException(Errno.ECONNABORTED, "accept", "the peer has given up");
    }

    private void give(String verb, ConnParam param, LongToIntFunction function) {
        byte[] data = param.privateData();
        ConnParam told = CmParams.within(param, limits, isForDatagrams() ? null : request);
        try (Scratch c = new Scratch(ConnParamLayout.SIZEOF);
                Scratch bytes = CmParams.privateData(verb, data)) {
            CmParams.write(c.address(), told, bytes.address(), data.length);
            CmErrors.check(verb, function.applyAsInt(c.address()));
        }
    }

    @Override
    public synchronized void reject(int reason, byte[] privateData) {
        String verb = "reject";
        require(verb, State.CONNECTED);
        boolean ece = reason == RejectReason.VENDOR_OPTION_NOT_SUPPORTED;
        if (reason != RejectReason.CONSUMER_DEFINED && !(ece && Librdmacm.has("rdma_reject_ece"))) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "librdmacm does not let the program choose the reason " + RejectReason.toString(reason));
        }
        try (Scratch bytes = CmParams.privateData(verb, privateData)) {
            int length = privateData.length;
            CmErrors.check(
                    verb,
                    ece
                            ? Librdmacm.rejectEce(id, bytes.address(), length)
                            : Librdmacm.rdma_reject(id, bytes.address(), length));
        }
    }

    @Override
    public synchronized void establish() {
        String verb = "establish";
        require(verb, State.CONNECTED);
        CmErrors.check(verb, Librdmacm.rdma_establish(id));
    }

    @Override
    public synchronized void communicationEstablished() {
        String verb = "notify";
        require(verb, State.CONNECTED);
        CmErrors.check(verb, Librdmacm.rdma_notify(id, EventType.COMM_EST));
    }

    @Override
    public synchronized void disconnect() {
        String verb = "disconnect";
        require(verb, State.CONNECTED);
        if (!disconnected) {
            CmErrors.check(verb, Librdmacm.rdma_disconnect(id));
            disconnected = true;
        }
    }

    // ---- queue pairs, options, groups

    @Override
    public synchronized QpAttr qpAttr(int target) {
        String verb = "init_qp_attr";
        require(verb, State.ADDRESS_RESOLVED, State.ROUTE_RESOLVED, State.CONNECTED);
        if (aborted && !answered && isPassive()) { // the kernel would return EINVAL
            throw givenUp();
        }
        QpAttr attr = CmMoves.attributes(verb, id, target, isForDatagrams());
        return target == QpState.RTS && ackTimeout >= 0 ? attr.timeout(ackTimeout) : attr;
    }

    @Override
    public synchronized void setOption(int option, int value) {
        String verb = "set_option";
        require(
                verb,
                State.NEW,
                State.BOUND,
                State.ADDRESS_RESOLVED,
                State.ROUTE_RESOLVED,
                State.LISTENING,
                State.CONNECTED);
        if (option != CmOption.ACK_TIMEOUT) {
            CmOptions.set(verb, id, option, value);
            return;
        }
        if (isForDatagrams() || state == State.CONNECTED && (request == null || answered)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    isForDatagrams()
                            ? "ACK_TIMEOUT is for connections: datagrams are not acknowledged"
                            : "ACK_TIMEOUT is set too late: it must be set before connect or accept");
        }
        if (state == State.LISTENING || state == State.CONNECTED) { // the kernel applies it only to an active end
            ackTimeout = CmOptions.ackTimeout(verb, value);
        } else {
            CmOptions.set(verb, id, option, value);
            ackTimeout = value;
        }
    }

    @Override
    public void willConnect(QueuePair qp) {
        if (qp instanceof NativeQueuePair known) {
            known.ibv.sendEnd().watch();
        }
    }

    @Override
    public int unfinishedSends(QueuePair qp) {
        return qp instanceof NativeQueuePair known ? known.ibv.sendEnd().unfinished(qp) : -1;
    }

    @Override
    public long failedSends(QueuePair qp) {
        return qp instanceof NativeQueuePair known && known.ibv.sendEnd().hasFailed() ? UNCOUNTED : 0;
    }

    @Override
    public synchronized void joinMulticast(InetAddress group, Object told) {
        String verb = "join_multicast";
        require(verb, State.BOUND, State.ADDRESS_RESOLVED, State.ROUTE_RESOLVED, State.CONNECTED);
        if (!isForDatagrams() || !isBoundToDevice()) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "multicast groups need an id of port space UDP that is bound to an address");
        }
        groups.join(verb, id, group, told);
    }

    @Override
    public synchronized void leaveMulticast(InetAddress group) {
        if (state != State.CLOSED) {
            groups.leave("leave_multicast", id, group);
        }
    }

    @Override
    public void close() {
        long destroyed;
        synchronized (this) {
            if (state == State.CLOSED) {
                return;
            }
            state = State.CLOSED;
            destroyed = id;
        }
        manager.children().unmake(KIND, () -> {
            try {
                channel.destroy(destroyed); // without the lock: it waits for the delivering thread
            } finally {
                channel.release();
            }
        });
    }
}
