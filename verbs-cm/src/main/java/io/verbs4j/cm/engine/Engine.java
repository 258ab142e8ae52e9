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
 * The connection manager of one port, with all its connections, ends and deadlines. All calls take its monitor. It
 * calls a {@link GsiPort} to send, and sinks to queue events.
 *
 * <p>It has no thread of its own: {@link EngineThread}, or a test, passes it packets and the time.
 */
final class Engine {
    /**
     * The sender of a request: its address and the ids that it states. Linux leaves out the address; with it, an
     * impostor cannot block anybody else.
     */
    private record Requester(Gid gid, long guid, int id) {
        // not the generated methods: through them the JDK would keep this class's loader alive

        @Override
        public boolean equals(Object other) {
            return other instanceof Requester one && id == one.id && guid == one.guid && gid.equals(one.gid);
        }

        @Override
        public int hashCode() {
            return Objects.hash(gid, guid, id);
        }
    }

    /** Timewait periods end at multiples of this, in nanoseconds, so that many end together. */
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

    /** Time of the next call of {@link #runTimers} if nothing wakes the thread earlier. */
    private long wakesAt;

    /**
     * Makes the engine; {@code wakeUp} is called when a deadline is added that is earlier than the last result of
     * {@link #runTimers}.
     */
    Engine(GsiPort port, LongSupplier nanos, Random random, Runnable wakeUp) {
        this.port = port;
        this.nanos = nanos;
        this.random = random;
        this.wakeUp = wakeUp;
        this.agent = random.nextInt();
        this.ports = new PortTable(random);
    }

    // ---- packets

    /** Handles a received packet; the engine owns {@code mad} from now on. */
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
        // the request was given up: say so, instead of letting the peer repeat its reply
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
            send(destination, source, 0, confirmation(dreq)); // no such connection: it has ended
        }
    }

    /** Returns the answer to a DREQ. */
    Drep confirmation(Dreq dreq) {
        Drep drep = new Drep();
        drep.tid(dreq.tid());
        drep.localId(dreq.remoteId());
        drep.remoteId(dreq.localId());
        return drep;
    }

    /** Handles the arrival of a packet at a queue pair, which counts as an RTU, in case that was lost. */
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

    /** Makes a connection of an end, with an id that nobody can guess. */
    Connection connect(Endpoint end) {
        int id;
        do {
            id = random.nextInt();
        } while (id == 0 || connections.containsKey(id));
        Connection c = new Connection(this, end, id);
        connections.put(id, c);
        return c;
    }

    /** Returns the connection that a request has made, or null if the request is new. */
    Connection requested(Gid source, long guid, int id) {
        return byRequester.get(new Requester(source, guid, id));
    }

    /** Returns the connection of a node's queue pair, or null. */
    Connection ofQueuePair(Gid source, long guid, int qpNum) {
        return byQueuePair.get(new Requester(source, guid, qpNum));
    }

    /** Registers a connection whose request has been taken. */
    void taken(Connection c) {
        byRequester.put(new Requester(c.remoteGid, c.remoteGuid, c.remoteId), c);
        byQueuePair.put(new Requester(c.remoteGid, c.remoteGuid, c.remoteQpn), c);
    }

    /** Registers a connection that was accepted and that the peer has not confirmed. */
    void replied(Connection c) {
        waitingForRtu.put(c.localQpn, c);
    }

    void confirmed(Connection c) {
        waitingForRtu.remove(c.localQpn, c);
    }

    /** Unregisters the queue pair of a connection, which may then be connected again. */
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

    /** Returns the transaction id of a request of this side. */
    long newTid(int id) {
        return (long) agent << 32 | Integer.toUnsignedLong(id);
    }

    /** Returns the index of a local GID, or -1 if the port does not have it. */
    int gidIndex(Gid gid) {
        return port.gids().indexOf(gid);
    }

    /** Returns the listener of a service at an address. */
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

    /** Counts a message that is not for anybody. */
    void drop() {
        dropped++;
    }

    synchronized long dropped() {
        return dropped;
    }

    /** Returns whether nothing is left that needs this engine. */
    synchronized boolean isIdle() {
        return ends == 0 && connections.isEmpty();
    }

    /** Returns whether connected queue pairs have send requests that the peer has not acknowledged. */
    boolean hasUnfinishedSends() {
        int[] established;
        synchronized (this) {
            established = connections.values().stream()
                    .filter(c -> c.state == Connection.State.ESTABLISHED)
                    .mapToInt(c -> c.localQpn)
                    .toArray();
        }
        for (int qpNum : established) { // without the monitor: it may wait for threads that post
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

    /** Returns whether a peer has not answered a disconnect. */
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

    /** Returns the number of entries in all tables. */
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

    /** Schedules at a slightly later time, so that one wake-up serves many deadlines. */
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

    /**
     * Runs what is due. Returns the nanoseconds to the next deadline, or {@link Long#MAX_VALUE} if there is none.
     * Adding an earlier one causes a wake-up.
     */
    synchronized long runTimers() {
        timers.fire(nanos.getAsLong());
        long now = nanos.getAsLong();
        wakesAt = timers.isEmpty() ? now + FOREVER : timers.next();
        return timers.isEmpty() ? Long.MAX_VALUE : Math.max(0, wakesAt - now);
    }
}
