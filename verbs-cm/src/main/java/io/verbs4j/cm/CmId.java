/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.engine.Engines;
import io.verbs4j.cm.spi.CmEndpoint;
import io.verbs4j.cm.spi.CmSignal;
import io.verbs4j.cm.spi.CmSink;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One end of a connection, a listener, or an end for datagrams. Source: rdma_create_id(3).
 *
 * <p>No method waits for the peer; results arrive as events. Any thread may close an id at any time, even while the
 * program holds events of it.
 *
 * <p>If the id has a queue pair ({@link #createQp}), connecting and accepting move it, and so does the thread that
 * takes events. Otherwise the program uses a queue pair of its own (an external queue pair): it passes the number as
 * {@link ConnParam#qpNum()}, moves the queue pair by {@link #qpAttr}, and calls {@link #establish()} after
 * CONNECT_RESPONSE.
 *
 * <p>Methods throw {@link VerbsException}: {@link Errno#EINVAL} in a state in which they make no sense and for null
 * arguments; {@link Errno#EBADF} after close.
 */
// Longer than 500 lines because programs call all verbs of an id on this class, and each method has its documentation.
public final class CmId implements AutoCloseable {
    /**
     * An event that has not been taken. Its owner is its id or, until a new id has been handed out, that id's listener.
     */
    record Pending(
            CmId owner, CmId id, int type, int status, ConnParam conn, UdParam ud, Object context, String reason) {}

    private final CmQueuePair queuePair = new CmQueuePair(this);
    /** Joined groups, with their LIDs. */
    private final Map<Gid, Integer> groups = new ConcurrentHashMap<>();

    private final AtomicBoolean accepted = new AtomicBoolean();
    private final int portSpace;
    private final CmId listenId;
    private volatile EventChannel channel;
    private volatile CmEndpoint endpoint;
    private volatile Object userContext;
    private volatile boolean closed;

    /** Called when the connection has ended, by any thread, possibly with locks held; or null. */
    private volatile Runnable onEnd;

    /** Whether the connection has ended. */
    private volatile boolean ended;

    private CmId(EventChannel channel, int portSpace, CmId listenId) {
        this.channel = channel;
        this.portSpace = portSpace;
        this.listenId = listenId;
    }

    static CmId create(EventChannel channel, Context context, int portSpace) {
        Arguments.require("create_id", "context", context);
        CmId id = new CmId(channel, portSpace, null);
        id.endpoint = Engines.create(context, portSpace, id.new Sink());
        return id;
    }

    /** Queues events that the engine reports. An inner class, to keep its methods out of the API. */
    private final class Sink implements CmSink {
        @Override
        public void event(int type, int status, ConnParam conn, UdParam ud, Object context) {
            event(type, status, conn, ud, context, null);
        }

        @Override
        public void event(int type, int status, ConnParam conn, UdParam ud, Object context, String reason) {
            if (!closed) {
                tell(new Pending(CmId.this, CmId.this, type, status, conn, ud, context, reason));
                if (type == CmEventType.DISCONNECTED || type == CmEventType.DEVICE_REMOVAL) {
                    ended = true;
                    Runnable told = onEnd;
                    if (told != null) {
                        told.run();
                    }
                }
            }
        }

        @Override
        public CmSink connectRequest(CmEndpoint child, ConnParam conn) {
            if (closed) {
                return null;
            }
            CmId id = new CmId(channel, portSpace, CmId.this);
            id.endpoint = child;
            tell(new Pending(CmId.this, id, CmEventType.CONNECT_REQUEST, 0, conn, null, null, null));
            return id.new Sink();
        }
    }

    /** Sets a callback for the end of the connection; runs it at once if the connection has ended. It may run twice. */
    void onEnd(Runnable value) {
        onEnd = value;
        if (ended) {
            value.run();
        }
    }

    /** Returns a new signal of the device, or null if it has none. */
    CmSignal newSignal() {
        return endpoint.newSignal();
    }

    /** Moves the queue pair to ERR, which ends all posted requests. */
    void failQp() {
        queuePair.fail();
    }

    /** Adds an event to the id's channel. If the id migrates at the same time, the event follows it. */
    private void tell(Pending event) {
        if (event.type() == CmEventType.DISCONNECTED) {
            RecordedEvents.ended(this, event.status());
        }
        EventChannel at = channel;
        at.add(event);
        for (EventChannel now = channel; now != at; now = channel) {
            at.withdraw(this).forEach(now::add);
            at = now;
        }
    }

    /** Processes an event that is being taken. Returns null if the program must not see it. */
    CmEvent take(Pending event) {
        if (event.owner().closed) {
            drop(event);
            return null;
        }
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            EventChannel made = channel;
            channel = listenId.channel; // which may have migrated in the meantime
            channel.join(this);
            made.withdraw(this).forEach(channel::add);
            return new CmEvent(this, listenId, event.type(), event.status(), event.conn(), null, null, null, null);
        }
        return queuePair.take(event);
    }

    private static void drop(Pending event) {
        if (event.id() != event.owner()) {
            event.id().close();
        }
    }

    // ---- addresses

    /**
     * Binds to an address of the device. Source: rdma_bind_addr(3).
     *
     * @param address address to bind to; the wildcard for all addresses of the device, port 0 for any free port
     * @throws VerbsException {@link Errno#EADDRINUSE} if the port is taken, {@link Errno#EADDRNOTAVAIL} if the device
     *     does not have the address
     */
    public void bind(InetSocketAddress address) {
        open("bind_addr").bind(address);
    }

    /**
     * Resolves the peer's address: ADDR_RESOLVED or ADDR_ERROR. Binds the id if it is not bound. For {@code localhost},
     * listeners of other processes on this machine are found as well. Source: rdma_resolve_addr(3).
     *
     * @param source address of the device, or null to let the system choose
     * @param destination address of the peer, with its host already looked up; the wildcard address means {@code
     *     localhost}
     * @param timeout longest time that it may take
     * @param unit unit of {@code timeout}
     */
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long timeout, TimeUnit unit) {
        CmEndpoint end = open("resolve_addr");
        end.resolveAddress(source, destination, millis("resolve_addr", timeout, unit));
    }

    /**
     * Resolves the route: ROUTE_RESOLVED or ROUTE_ERROR. Source: rdma_resolve_route(3).
     *
     * @param timeout longest time that it may take
     * @param unit unit of {@code timeout}
     */
    public void resolveRoute(long timeout, TimeUnit unit) {
        CmEndpoint end = open("resolve_route");
        end.resolveRoute(millis("resolve_route", timeout, unit));
    }

    /** Converts a time to milliseconds, rounding up so that only 0 becomes 0. */
    private static long millis(String verb, long timeout, TimeUnit unit) {
        long nanos = Arguments.nanos(verb, timeout, unit);
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
        return TimeUnit.MILLISECONDS.toNanos(millis) < nanos ? millis + 1 : millis;
    }

    /** {@return the address that the id is bound to, or null} */
    public InetSocketAddress localAddress() {
        return endpoint.localAddress();
    }

    /** {@return the peer's address, or null if it has none} */
    public InetSocketAddress peerAddress() {
        return endpoint.peerAddress();
    }

    // ---- the queue pair

    /**
     * Makes the id's queue pair: RC in state INIT (receives can be posted), or UD in state RTS. Source:
     * rdma_create_qp(3).
     *
     * @param pd domain on {@link #context()}
     * @param attr attributes: type RC in port space TCP, UD in port space UDP
     * @return the queue pair, which is closed with the id
     */
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        open("create_qp");
        return queuePair.create(Arguments.require("create_qp", "pd", pd), Arguments.require("create_qp", "attr", attr));
    }

    /** {@return the id's queue pair, or null if it has none} */
    public QueuePair queuePair() {
        return queuePair.get();
    }

    /** Closes the id's queue pair, if it has one. Source: rdma_destroy_qp(3). */
    public void destroyQp() {
        queuePair.close();
    }

    /**
     * Returns attributes, with their mask, that move the program's own queue pair. Source: rdma_init_qp_attr(3).
     *
     * @param state state to move to: {@link io.verbs4j.QpState#INIT} once the route is resolved, RTR and RTS after
     *     CONNECT_RESPONSE or CONNECT_REQUEST
     * @return the attributes, a new object
     */
    public QpAttr qpAttr(int state) {
        return open("init_qp_attr").qpAttr(state);
    }

    // ---- connections

    /**
     * Listens: each peer that wants to connect causes a CONNECT_REQUEST. Source: rdma_listen(3).
     *
     * @param backlog maximum number of requests that wait to be accepted or rejected; 0 or less means 1024. Requests
     *     beyond it are dropped until the peer repeats them
     */
    public void listen(int backlog) {
        open("listen").listen(backlog);
    }

    /**
     * Connects; in port space UDP, asks the peer for its queue pair. Source: rdma_connect(3).
     *
     * @param param parameters
     * @throws VerbsException also {@link Errno#EINVAL} if the private data is too long
     */
    public void connect(ConnParam param) {
        open("connect").connect(queuePair.own(Arguments.require("connect", "param", param)));
    }

    /**
     * Accepts a CONNECT_REQUEST. Source: rdma_accept(3).
     *
     * @param param parameters
     * @throws VerbsException the error of modifying the queue pair; also {@link Errno#EINVAL} if the private data is
     *     too long, and {@link Errno#ECONNABORTED} if the peer has given up. The peer is then rejected. {@link
     *     Errno#EINVAL} also if the request was accepted before, which changes nothing
     */
    public void accept(ConnParam param) {
        CmEndpoint end = open("accept");
        Arguments.require("accept", "param", param);
        if (!accepted.compareAndSet(false, true)) {
            throw new VerbsException(
                    Errno.EINVAL, "accept", "the request was already accepted, or accepting it failed");
        }
        try {
            queuePair.accept(end, param);
        } catch (VerbsException e) {
            try {
                end.reject(RejectReason.CONSUMER_DEFINED, new byte[0]);
            } catch (VerbsException state) {
                e.addSuppressed(state); // nobody waits for an answer
            }
            throw e;
        }
    }

    /**
     * Rejects a CONNECT_REQUEST or CONNECT_RESPONSE. Source: rdma_reject(3).
     *
     * @param privateData data for the program at the peer, at most 148 bytes; 136 in port space UDP
     */
    public void reject(byte... privateData) {
        CmEndpoint end = open("reject");
        end.reject(RejectReason.CONSUMER_DEFINED, Arguments.require("reject", "privateData", privateData));
    }

    /**
     * Tells the peer, after CONNECT_RESPONSE, that the program's own queue pair is ready. Source: rdma_establish(3).
     *
     * @throws VerbsException also {@link Errno#EINVAL} if the id has a queue pair
     */
    public void establish() {
        CmEndpoint end = open("establish");
        if (queuePair.get() != null) {
            throw new VerbsException(
                    Errno.EINVAL, "establish", "the id has a queue pair: getting events establishes the connection");
        }
        end.establish();
    }

    /**
     * Reports that a packet has arrived on the connection, for instance after {@link io.verbs4j.EventType#COMM_EST}.
     * Source: rdma_notify(3).
     */
    public void communicationEstablished() {
        open("notify").communicationEstablished();
    }

    /**
     * Disconnects: the id's queue pair goes to ERR, which ends posted requests, and DISCONNECTED follows. Does nothing
     * if either side has disconnected before. Source: rdma_disconnect(3).
     */
    public void disconnect() {
        CmEndpoint end = open("disconnect");
        queuePair.disconnecting();
        end.disconnect();
    }

    /**
     * Enables detection of a peer that vanishes without disconnecting: DISCONNECTED then comes with status {@code
     * -ETIMEDOUT}. Disabled by default.
     *
     * <p>A process on this machine that has ended is detected within two seconds, unless the time is 0 or less; a
     * stopped process counts as alive. A peer on another machine is probed several times within the time, and given up
     * if it answers nothing. On native devices this does nothing, because the kernel disconnects for processes that
     * end.
     *
     * @param time time after which a silent peer on another machine is given up; 0 or less disables detection
     * @param unit unit of {@code time}
     * @throws VerbsException {@link Errno#EBADF} after close
     */
    public void keepAlive(long time, TimeUnit unit) {
        open("keep_alive").keepAlive(Arguments.nanos("keep_alive", time, unit));
    }

    // ---- options and groups

    /**
     * Sets an option. Source: rdma_set_option(3).
     *
     * @param option a {@link CmOption}
     * @param value value of the option
     * @throws VerbsException {@link Errno#EINVAL} if the value is out of range or it is too late to set it; {@link
     *     Errno#EOPNOTSUPP} for an unknown option
     */
    public void setOption(int option, int value) {
        open("set_option").setOption(option, value);
    }

    /**
     * Joins a multicast group. MULTICAST_JOIN reports where to send its datagrams; the id's queue pair, if any,
     * receives them. Source: rdma_join_multicast(3).
     *
     * @param group address of the group
     * @param context object to return with the event, or null
     */
    public void joinMulticast(InetAddress group, Object context) {
        open("join_multicast").joinMulticast(Arguments.require("join_multicast", "group", group), context);
    }

    /**
     * Leaves a multicast group; does nothing if it was not joined. Source: rdma_leave_multicast(3).
     *
     * @param group address of the group
     */
    public void leaveMulticast(InetAddress group) {
        CmEndpoint end = open("leave_multicast");
        Arguments.require("leave_multicast", "group", group);
        leave(Gid.of(group));
        end.leaveMulticast(group);
    }

    void joined(Gid group, int lid) {
        groups.put(group, lid);
    }

    private void leave(Gid group) {
        QueuePair qp = queuePair.get();
        Integer lid = groups.remove(group);
        if (lid != null && qp != null) {
            qp.detachMcast(group, lid);
        }
    }

    void leaveAll() {
        groups.keySet().forEach(this::leave);
    }

    // ---- properties

    /** {@return the open device that the id is on} */
    public Context context() {
        return endpoint.context();
    }

    /** {@return the port space, a {@link PortSpace}} */
    public int portSpace() {
        return portSpace;
    }

    /** {@return the channel that events of the id go to} */
    public EventChannel channel() {
        return channel;
    }

    /**
     * Moves the id, with its pending events, to another channel. Source: rdma_migrate_id(3).
     *
     * @param to the new channel
     */
    public synchronized void migrate(EventChannel to) {
        open("migrate_id");
        Arguments.require("migrate_id", "channel", to);
        EventChannel from = channel;
        to.join(this);
        channel = to;
        if (from != to) {
            from.forget(this).forEach(to::add);
        }
    }

    /** {@return the application object, or null} */
    public Object userContext() {
        return userContext;
    }

    /**
     * Sets {@link #userContext()}.
     *
     * @param value the object, or null
     */
    public void userContext(Object value) {
        userContext = value;
    }

    boolean isClosed() {
        return closed;
    }

    CmEndpoint endpoint() {
        return endpoint;
    }

    private CmEndpoint open(String verb) {
        if (closed) {
            throw Arguments.closed(verb, "the id");
        }
        return endpoint;
    }

    /**
     * Closes the id and its queue pair: a connection is disconnected, a request rejected. Waits neither for the peer
     * nor for events; events that were not taken are discarded. Source: rdma_destroy_id(3).
     */
    @Override
    public void close() {
        boolean again;
        synchronized (this) {
            again = closed;
            closed = true;
        }
        if (again) {
            queuePair.close(); // may have failed before, because a thread was reading its completions
            endpoint.close(); // another thread may be about to do it
            return;
        }
        channel.forget(this).forEach(CmId::drop);
        try {
            queuePair.close();
        } finally {
            endpoint.close();
            channel.forget(this).forEach(CmId::drop); // events that came during the close
        }
    }

    @Override
    public String toString() {
        return "id " + PortSpace.toString(portSpace) + " " + localAddress() + " to " + peerAddress();
    }
}
