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
 * One end of a connection, a listener, or an end for datagrams. No method waits for the peer: what comes of it is an event. An id may be closed at any time,
 * by any thread, with or without events of it handed out. Source: rdma_create_id(3).
 *
 * <p>An id may have a queue pair, {@link #createQp}: then connecting and accepting move it, and the thread that takes events does. Or the program has one of its
 * own (an external queue pair): it gives the number by {@link ConnParam#qpNum()}, moves it by {@link #qpAttr}, and calls {@link #establish()} after CONNECT_RESPONSE.
 *
 * <p>Methods throw {@link VerbsException}: {@link Errno#EINVAL} in a state in which they have no meaning, and for
 * what is null; {@link Errno#EBADF} after close.
 */
public final class CmId implements AutoCloseable {
    /** An event that waits to be taken: of an id, but of its listener's while that has not handed it out. */
    record Pending(
            CmId owner, CmId id, int type, int status, ConnParam conn, UdParam ud, Object context, String reason) {}

    private final CmQueuePair queuePair = new CmQueuePair(this);
    /** With their LIDs. */
    private final Map<Gid, Integer> groups = new ConcurrentHashMap<>();

    private final AtomicBoolean accepted = new AtomicBoolean();
    private final int portSpace;
    private final CmId listenId;
    private volatile EventChannel channel;
    private volatile CmEndpoint endpoint;
    private volatile Object userContext;
    private volatile boolean closed;

    /** Called when the connection has ended, by any thread and also with locks held; null where nobody is. */
    private volatile Runnable onEnd;

    /** The connection has ended. */
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

    /** Notes what the engine tells; an inner class, so that it is no part of the API. */
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

    /** Has something called when the connection ends, at once where it has; perhaps twice. */
    void onEnd(Runnable value) {
        onEnd = value;
        if (ended) {
            value.run();
        }
    }

    /** A new signal of the device's; null where there is none. */
    CmSignal newSignal() {
        return endpoint.newSignal();
    }

    /** Moves the queue pair to ERR, so that what is posted ends. */
    void failQp() {
        queuePair.fail();
    }

    /** An event goes to the channel that the id is on; where it is moved just now, it follows. */
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

    /** An event is taken: does what it asks for; null where nobody is to see it. */
    CmEvent take(Pending event) {
        if (event.owner().closed) {
            drop(event);
            return null;
        }
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            EventChannel made = channel;
            channel = listenId.channel; // which may have been moved since
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
     * @param address the address; the wildcard for all of the device's; port 0 for one that is free
     * @throws VerbsException {@link Errno#EADDRINUSE}, {@link Errno#EADDRNOTAVAIL} where the device does not have it
     */
    public void bind(InetSocketAddress address) {
        open("bind_addr").bind(address);
    }

    /**
     * Finds the way to an address: ADDR_RESOLVED or ADDR_ERROR. Binds an id that is not bound. Where the address is {@code localhost}, listeners of other
     * processes of this machine are found too. Source: rdma_resolve_addr(3).
     *
     * @param source the device's address, or null
     * @param destination the peer's; its host is looked up already. The wildcard address is {@code localhost}
     * @param timeout longest time for it
     * @param unit its unit
     */
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long timeout, TimeUnit unit) {
        CmEndpoint end = open("resolve_addr");
        end.resolveAddress(source, destination, millis("resolve_addr", timeout, unit));
    }

    /**
     * Finds the route: ROUTE_RESOLVED or ROUTE_ERROR. Source: rdma_resolve_route(3).
     *
     * @param timeout longest time for it
     * @param unit its unit
     */
    public void resolveRoute(long timeout, TimeUnit unit) {
        CmEndpoint end = open("resolve_route");
        end.resolveRoute(millis("resolve_route", timeout, unit));
    }

    /** Rounded up: a time that is not 0 is none of 0 milliseconds. */
    private static long millis(String verb, long timeout, TimeUnit unit) {
        long nanos = Arguments.nanos(verb, timeout, unit);
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
        return TimeUnit.MILLISECONDS.toNanos(millis) < nanos ? millis + 1 : millis;
    }

    /** {@return the address that the id is bound to; null before} */
    public InetSocketAddress localAddress() {
        return endpoint.localAddress();
    }

    /** {@return the peer's address; null where there is none} */
    public InetSocketAddress peerAddress() {
        return endpoint.peerAddress();
    }

    // ---- the queue pair

    /**
     * Makes a queue pair, which is the id's: RC in state INIT (receives can be posted), UD in state RTS. Source: rdma_create_qp(3).
     *
     * @param pd domain on {@link #context()}
     * @param attr how to make it: type RC in port space TCP, UD in UDP
     * @return the queue pair; closed with the id
     */
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        open("create_qp");
        return queuePair.create(Arguments.require("create_qp", "pd", pd), Arguments.require("create_qp", "attr", attr));
    }

    /** {@return the id's queue pair; null where it has none} */
    public QueuePair queuePair() {
        return queuePair.get();
    }

    /** Closes the id's queue pair, where it has one. Source: rdma_destroy_qp(3). */
    public void destroyQp() {
        queuePair.close();
    }

    /**
     * Attributes that move a queue pair of the program's own, with their mask. Source: rdma_init_qp_attr(3).
     *
     * @param state the state to move to: {@link io.verbs4j.QpState#INIT} once there is a route, RTR and RTS after CONNECT_RESPONSE or CONNECT_REQUEST
     * @return the attributes, a new object
     */
    public QpAttr qpAttr(int state) {
        return open("init_qp_attr").qpAttr(state);
    }

    // ---- connections

    /**
     * Listens: each peer that wants to connect is a CONNECT_REQUEST. Source: rdma_listen(3).
     *
     * @param backlog most requests that wait to be accepted or rejected, those beyond it are lost until the peer repeats them; 0 or less for 1024
     */
    public void listen(int backlog) {
        open("listen").listen(backlog);
    }

    /**
     * Connects; in port space UDP asks the peer for its queue pair. Source: rdma_connect(3).
     *
     * @param param parameters
     * @throws VerbsException {@link Errno#EINVAL} also for private data that is too long
     */
    public void connect(ConnParam param) {
        open("connect").connect(queuePair.own(Arguments.require("connect", "param", param)));
    }

    /**
     * Accepts what came with CONNECT_REQUEST. Source: rdma_accept(3).
     *
     * @param param parameters
     * @throws VerbsException what the queue pair says to being moved; {@link Errno#EINVAL} also for private data that
     *     is too long; {@link Errno#ECONNABORTED} where the peer has given up. The peer is then rejected, but for
     *     EINVAL where it was accepted before: nothing changes then
     */
    public void accept(ConnParam param) {
        CmEndpoint end = open("accept");
        Arguments.require("accept", "param", param);
        if (!accepted.compareAndSet(false, true)) {
            throw new VerbsException(Errno.EINVAL, "accept", "the request was accepted, or failed to be, before");
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
     * Rejects what came with CONNECT_REQUEST or CONNECT_RESPONSE. Source: rdma_reject(3).
     *
     * @param privateData for the program at the peer, at most 148 bytes; 136 where it is about datagrams
     */
    public void reject(byte... privateData) {
        CmEndpoint end = open("reject");
        end.reject(RejectReason.CONSUMER_DEFINED, Arguments.require("reject", "privateData", privateData));
    }

    /**
     * Tells the peer, after CONNECT_RESPONSE, that a queue pair of the program's own is ready. Source: rdma_establish(3).
     *
     * @throws VerbsException {@link Errno#EINVAL} also where the id has a queue pair
     */
    public void establish() {
        CmEndpoint end = open("establish");
        if (queuePair.get() != null) {
            throw new VerbsException(
                    Errno.EINVAL, "establish", "the id has a queue pair: taking events establishes the connection");
        }
        end.establish();
    }

    /** Tells that a packet has come on the connection, for instance by {@link io.verbs4j.EventType#COMM_EST}. Source: rdma_notify(3). */
    public void communicationEstablished() {
        open("notify").communicationEstablished();
    }

    /**
     * Disconnects: the id's queue pair goes to ERR, so that what is posted ends, and DISCONNECTED comes. Does nothing where that was done before, or the peer
     * did. Source: rdma_disconnect(3).
     */
    public void disconnect() {
        CmEndpoint end = open("disconnect");
        queuePair.disconnecting();
        end.disconnect();
    }

    /**
     * Notices a peer that is gone without a word: then DISCONNECTED comes, with status {@code -ETIMEDOUT}. A process of
     * this machine that has ended is noticed within two seconds, unless the time is 0; one that is stopped is there. A
     * peer of another machine is asked several times in the given time, and is given up where it answers nothing. On
     * native devices the kernel disconnects for processes that end, and this does nothing. An id does not do so before
     * it is told to.
     *
     * @param time time after which a silent peer of another machine is given up; 0 or less ends that
     * @param unit its unit
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
     * @param value its value
     * @throws VerbsException {@link Errno#EINVAL} for a value out of range or too late; {@link Errno#EOPNOTSUPP} for an option that is not known
     */
    public void setOption(int option, int value) {
        open("set_option").setOption(option, value);
    }

    /**
     * Joins a group: MULTICAST_JOIN tells where its datagrams go; a queue pair of the id's receives them. Source: rdma_join_multicast(3).
     *
     * @param group its address
     * @param context handed out with the event, or null
     */
    public void joinMulticast(InetAddress group, Object context) {
        open("join_multicast").joinMulticast(Arguments.require("join_multicast", "group", group), context);
    }

    /**
     * Leaves a group; does nothing where it was not joined. Source: rdma_leave_multicast(3).
     *
     * @param group its address
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

    // ---- what it is

    /** {@return the open device that the id is on} */
    public Context context() {
        return endpoint.context();
    }

    /** {@return the port space, a {@link PortSpace}} */
    public int portSpace() {
        return portSpace;
    }

    /** {@return the channel that events of the id come out of} */
    public EventChannel channel() {
        return channel;
    }

    /**
     * Moves the id, with its events that wait, to another channel. Source: rdma_migrate_id(3).
     *
     * @param to the channel
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

    /** {@return an object of the program's} */
    public Object userContext() {
        return userContext;
    }

    /**
     * Changes {@link #userContext()}.
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
     * Closes the id with its queue pair: a connection is disconnected, a request rejected. Does not wait, not for the peer and not for events; those that
     * were not taken are forgotten. Source: rdma_destroy_id(3).
     */
    @Override
    public void close() {
        boolean again;
        synchronized (this) {
            again = closed;
            closed = true;
        }
        if (again) {
            queuePair.close(); // which may have failed, as somebody was reading its completions
            endpoint.close(); // where another thread is about to
            return;
        }
        channel.forget(this).forEach(CmId::drop);
        try {
            queuePair.close();
        } finally {
            endpoint.close();
            channel.forget(this).forEach(CmId::drop); // what came while it was being closed
        }
    }

    @Override
    public String toString() {
        return "id " + PortSpace.toString(portSpace) + " " + localAddress() + " to " + peerAddress();
    }
}
