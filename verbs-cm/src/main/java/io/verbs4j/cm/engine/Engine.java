/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Gid;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.RejectReason;
import io.verbs4j.cm.spi.GsiPort;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * The connection manager of one port: all its connections, ends and deadlines. Whatever is called takes its monitor; it calls a {@link GsiPort} to send, and
 * sinks to note events.
 *
 * <p>It has no thread: {@link EngineThread} gives it packets and the time, and so does a test.
 */
final class Engine {
    /**
     * Who sent a request, by its address and what it says of itself. Linux leaves the address out; with it, who claims to be another stands in nobody's way.
     */
    private record Requester(Gid gid, long guid, int id) {
        // Not the generated ones: by them the JDK would keep the class loader of this class.

        @Override
        public boolean equals(Object other) {
            return other instanceof Requester one && id == one.id && guid == one.guid && gid.equals(one.gid);
        }

        @Override
        public int hashCode() {
            return Objects.hash(gid, guid, id);
        }
    }

    /** Time waits end at multiples of this, nanoseconds, so that many end at once. */
    private static final long GRID = 1L << 24;

    private static final long FOREVER = Long.MAX_VALUE / 2;

    private final GsiPort port;
    private final LongSupplier nanos;
    private final Random random;
    private final Runnable wakeUp;
    private final int agent;
    private final Timers timers = new Timers();
    private final PortTable ports;
    private final Requests requests = new Requests(this);
    private final SidrTable sidr = new SidrTable(this);
    private final Map<Integer, Connection> connections = new HashMap<>();
    private final Map<Requester, Connection> byRequester = new HashMap<>();
    private final Map<Requester, Connection> byQueuePair = new HashMap<>();
    private final Map<Integer, Connection> waitingForRtu = new HashMap<>();
    private int ends;
    private long dropped;

    /** When {@link #runTimers} is called again, if nobody is woken up before. */
    private long wakesAt;

    /** Makes it; {@code wakeUp} is called where a deadline is earlier than all that {@link #runTimers} knew of. */
    Engine(GsiPort port, LongSupplier nanos, Random random, Runnable wakeUp) {
        this.port = port;
        this.nanos = nanos;
        this.random = random;
        this.wakeUp = wakeUp;
        this.agent = random.nextInt();
        this.ports = new PortTable(random);
    }

    // ---- packets

    /** A packet has come; {@code mad} is the engine's from now on. */
    synchronized void received(Gid source, Gid destination, ByteBuffer mad) {
        Mad header = new Mad(mad);
        if (!header.isMessage()) {
            dropped++;
            return;
        }
        switch (header.attribute()) {
            case Mad.REQ -> requests.onReq(new Req(mad), source, destination);
            case Mad.MRA -> {
                Mra mra = new Mra(mad);
                Connection c = connections.get(mra.remoteId());
                if (c != null) {
                    c.onMra(mra, source);
                }
            }
            case Mad.REJ -> onRej(new Rej(mad), source);
            case Mad.REP -> onRep(new Rep(mad), source, destination);
            case Mad.RTU -> {
                Rtu rtu = new Rtu(mad);
                Connection c = connections.get(rtu.remoteId());
                if (c != null) {
                    c.onRtu(rtu.localId(), source);
                }
            }
            case Mad.DREQ -> onDreq(new Dreq(mad), source, destination);
            case Mad.DREP -> {
                Drep drep = new Drep(mad);
                Connection c = connections.get(drep.remoteId());
                if (c != null) {
                    c.onDrep(drep, source);
                }
            }
            case Mad.SIDR_REQ -> sidr.onRequest(new SidrReq(mad), source, destination);
            case Mad.SIDR_REP -> sidr.onReply(new SidrRep(mad), source);
            default -> dropped++;
        }
    }

    private void onRej(Rej rej, Gid source) {
        Connection c = connections.get(rej.remoteId());
        if (c != null) {
            c.onRej(rej, source);
        } else if (rej.reason() == RejectReason.TIMEOUT && rej.infoLength() >= Long.BYTES) {
            c = byRequester.get(new Requester(source, rej.infoGuid(), rej.localId()));
            if (c != null) {
                c.onRejOfRequester(rej, source);
            }
        }
    }

    private void onRep(Rep rep, Gid source, Gid destination) {
        Connection c = connections.get(rep.remoteId());
        if (c != null) {
            c.onRep(rep, source);
            return;
        }
        // The request was given up: better said than repeated to.
        Rej rej = new Rej();
        rej.tid(rep.tid());
        rej.localId(rep.remoteId());
        rej.remoteId(rep.localId());
        rej.message(1);
        rej.reason(RejectReason.INVALID_COMM_ID);
        send(destination, source, 0, rej);
    }

    private void onDreq(Dreq dreq, Gid source, Gid destination) {
        Connection c = connections.get(dreq.remoteId());
        if (c != null && c.remoteId == dreq.localId()) {
            c.onDreq(dreq, source);
        } else if (c == null) {
            send(destination, source, 0, confirmation(dreq)); // nobody's: it is over
        }
    }

    /** The answer to a DREQ. */
    Drep confirmation(Dreq dreq) {
        Drep drep = new Drep();
        drep.tid(dreq.tid());
        drep.localId(dreq.remoteId());
        drep.remoteId(dreq.localId());
        return drep;
    }

    /** A packet has come to a queue pair: as good as the RTU that may be lost. */
    synchronized void communicationEstablished(int qpNum) {
        Connection c = waitingForRtu.get(qpNum);
        if (c != null) {
            c.communicating();
        }
    }

    void send(Gid local, Gid peer, int trafficClass, Mad mad) {
        port.send(local, peer, trafficClass, mad.b);
    }

    // ---- tables

    /** A new connection of an end, with an id that nobody can guess. */
    Connection connect(Endpoint end) {
        int id;
        do {
            id = random.nextInt();
        } while (id == 0 || connections.containsKey(id));
        Connection c = new Connection(this, end, id);
        connections.put(id, c);
        return c;
    }

    /** The connection that a request made; null for a new one. */
    Connection requested(Gid source, long guid, int id) {
        return byRequester.get(new Requester(source, guid, id));
    }

    /** The connection that a queue pair of a node has; null where none. */
    Connection ofQueuePair(Gid source, long guid, int qpNum) {
        return byQueuePair.get(new Requester(source, guid, qpNum));
    }

    /** A request has been taken. */
    void taken(Connection c) {
        byRequester.put(new Requester(c.remoteGid, c.remoteGuid, c.remoteId), c);
        byQueuePair.put(new Requester(c.remoteGid, c.remoteGuid, c.remoteQpn), c);
    }

    /** A request has been accepted, and the peer does not know yet. */
    void replied(Connection c) {
        waitingForRtu.put(c.localQpn, c);
    }

    void confirmed(Connection c) {
        waitingForRtu.remove(c.localQpn, c);
    }

    /** The queue pair of a connection may be connected again. */
    void forgetQueuePair(Connection c) {
        byQueuePair.remove(new Requester(c.remoteGid, c.remoteGuid, c.remoteQpn), c);
    }

    void remove(Connection c) {
        connections.remove(c.localId, c);
        byRequester.remove(new Requester(c.remoteGid, c.remoteGuid, c.remoteId), c);
        forgetQueuePair(c);
        confirmed(c);
    }

    PortTable ports() {
        return ports;
    }

    SidrTable sidr() {
        return sidr;
    }

    GsiPort port() {
        return port;
    }

    long guid() {
        return port.guid();
    }

    int random24() {
        return random.nextInt() & 0xff_ffff;
    }

    int random32() {
        return random.nextInt();
    }

    /** Transaction id of a request of this side's. */
    long newTid(int id) {
        return (long) agent << 32 | Integer.toUnsignedLong(id);
    }

    /** Index of a local GID; -1 where the port does not have it. */
    int gidIndex(Gid gid) {
        return port.gids().indexOf(gid);
    }

    /** The listener of a service at an address. */
    Endpoint listener(int portSpace, int port, Gid address) {
        return portSpace == PortSpace.TCP || portSpace == PortSpace.UDP
                ? ports.listener(portSpace, port, address)
                : null;
    }

    void endOpened() {
        ends++;
    }

    void endClosed() {
        ends--;
        if (isIdle()) {
            wakeUp.run();
        }
    }

    /** Something that was not for anybody. */
    void drop() {
        dropped++;
    }

    synchronized long dropped() {
        return dropped;
    }

    /** Nothing is left that could need it. */
    synchronized boolean isIdle() {
        return ends == 0 && connections.isEmpty();
    }

    /** Whether requests of a queue pair that is connected wait for the peer's acknowledgement. */
    boolean hasUnfinishedSends() {
        int[] established;
        synchronized (this) {
            established = connections.values().stream()
                    .filter(c -> c.state == Connection.State.ESTABLISHED)
                    .mapToInt(c -> c.localQpn)
                    .toArray();
        }
        for (int qpNum : established) { // without the monitor: it may wait for who posts
            if (port.unfinishedSends(qpNum) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Disconnects all connections. */
    synchronized void disconnectAll() {
        new ArrayList<>(connections.values()).forEach(Connection::disconnect);
    }

    /** Whether a peer has not answered that a connection ends. */
    synchronized boolean isDisconnecting() {
        for (Connection c : connections.values()) {
            if (c.state == Connection.State.DREQ_SENT) {
                return true;
            }
        }
        return false;
    }

    synchronized int connectionCount() {
        return connections.size();
    }

    /** What all tables hold. */
    synchronized int size() {
        return connections.size()
                + byRequester.size()
                + byQueuePair.size()
                + waitingForRtu.size()
                + ports.size()
                + sidr.size()
                + ends;
    }

    // ---- time

    long now() {
        return nanos.getAsLong();
    }

    void schedule(Timed timed, long delay) {
        scheduleAt(timed, nanos.getAsLong() + delay);
    }

    /** Likewise, but somewhat later: whoever has to be woken up for it is so for many at once. */
    void scheduleOnGrid(Timed timed, long delay) {
        scheduleAt(timed, (nanos.getAsLong() + delay | GRID - 1) + 1);
    }

    private void scheduleAt(Timed timed, long deadline) {
        timers.schedule(timed, deadline);
        if (deadline - wakesAt < 0) {
            wakesAt = deadline;
            wakeUp.run();
        }
    }

    void cancel(Timed timed) {
        timers.cancel(timed);
    }

    /** Does what is due; answers the nanoseconds to the next deadline, {@link Long#MAX_VALUE} where there is none. An earlier one wakes up. */
    synchronized long runTimers() {
        timers.fire(nanos.getAsLong());
        long now = nanos.getAsLong();
        wakesAt = timers.isEmpty() ? now + FOREVER : timers.next();
        return timers.isEmpty() ? Long.MAX_VALUE : Math.max(0, wakesAt - now);
    }
}
