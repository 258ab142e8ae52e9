/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Gid;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.UdParam;
import io.verbs4j.cm.spi.CmEndpoint;
import io.verbs4j.cm.spi.CmSink;
import io.verbs4j.cm.spi.GsiPort;
import io.verbs4j.cm.spi.GsiReceiver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Simulated nodes, a network between them that loses, duplicates and delays packets depending on a seed, and a
 * simulated clock.
 */
final class SimNet {
    static final Limits LIMITS = new Limits(16, 16, 15);

    /** An action at a time. */
    private record Due(long at, long serial, Runnable what) {}

    final Random random;
    double loss;
    Predicate<Mad> lost = mad -> false;
    double doubling;
    long longestDelayMillis = 1;
    long now;

    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::serial));
    private final List<Node> nodes = new ArrayList<>();
    private long serials;

    SimNet(long seed) {
        random = new Random(seed);
    }

    static Gid gid(String ip) {
        return Gid.of(address(ip));
    }

    static InetAddress address(String ip) {
        try {
            return InetAddress.getByName(ip);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a valid request for a service at a port of port space TCP. */
    static Req request(Gid from, Gid to, int port, int id, int qpn) {
        Req r = new Req();
        r.tid(77);
        r.localId(id);
        r.serviceId(ServiceId.of(PortSpace.TCP, port));
        r.caGuid(0x1234);
        r.qpNum(qpn);
        r.responderResources(4);
        r.initiatorDepth(4);
        r.startingPsn(99);
        r.retryCount(7);
        r.pkey(0xffff);
        r.pathMtu(3);
        r.localLid(0xffff);
        r.remoteLid(0xffff);
        r.localGid(from);
        r.remoteGid(to);
        r.hopLimit(64);
        r.ackTimeout(16);
        r.cmaHeader().write(40000, from, to);
        return r;
    }

    Node node(String ip) {
        Node node = new Node(ip);
        nodes.add(node);
        return node;
    }

    /** Makes a node forget everything, like a process that restarts. */
    void restart(Node node) {
        node.begin();
    }

    /** Returns the own id of a node's only connection, from the question that it asks about it. */
    int ownId(Node node) {
        return question(node).localId();
    }

    /** Returns the peer's id of that connection. */
    int idOfPeer(Node node) {
        return question(node).remoteId();
    }

    private Dreq question(Node node) {
        for (long waited = 0; waited < TimeUnit.MINUTES.toMillis(1); waited += 100) {
            for (Mad mad : node.sent) {
                if (mad.attribute() == Mad.DREQ && new Dreq(mad.b).remoteId() != 0) {
                    return new Dreq(mad.b);
                }
            }
            run(100);
        }
        throw new AssertionError("nothing was asked");
    }

    void in(long millis, Runnable what) {
        due.add(new Due(now + TimeUnit.MILLISECONDS.toNanos(millis), serials++, what));
    }

    private long delay() {
        return random.nextLong(longestDelayMillis + 1);
    }

    /** Lets time pass until nothing more is scheduled, at most this many milliseconds. */
    void run(long millis) {
        long end = now + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            long next = Long.MAX_VALUE;
            for (Node node : nodes) {
                long left = node.engine.runTimers(); // also sends
                if (left != Long.MAX_VALUE) {
                    next = Math.min(next, now + left);
                }
            }
            if (!due.isEmpty()) {
                next = Math.min(next, due.peek().at());
            }
            if (!due.isEmpty() && due.peek().at() <= now) {
                due.poll().what().run();
            } else if (next > end) {
                now = end;
                return;
            } else {
                now = Math.max(now, next);
            }
        }
    }

    /** A node with an engine. */
    final class Node extends OneAddress {
        Engine engine;

        /** The kernel's answer about processes with other addresses. */
        int presence = GsiPort.PRESENCE_UNKNOWN;

        /** The messages that it has sent and seen; if {@link #deaf}, it is a peer that the test plays. */
        final List<Mad> sent = new ArrayList<>();

        final List<Mad> seen = new ArrayList<>();
        boolean deaf;

        /** Ports at which other processes on this machine listen. */
        IntPredicate othersPorts = port -> false;

        private Node(String ip) {
            super(SimNet.gid(ip), random.nextLong());
            begin();
        }

        private void begin() {
            engine = new Engine(this, () -> now, new Random(random.nextLong()), () -> {});
        }

        @Override
        public Gid lookUp(int portSpace, int port) {
            return othersPorts.test(port) ? gids().get(0) : null;
        }

        @Override
        public int presence(Gid peer) {
            return presence;
        }

        Endpoint end(int portSpace, CmSink sink) {
            return new Endpoint(engine, null, LIMITS, portSpace, sink);
        }

        InetSocketAddress at(int port) {
            return new InetSocketAddress(gid.toInetAddress(), port);
        }

        @Override
        public void open(GsiReceiver receiver) {
            throw new AssertionError();
        }

        @Override
        public void close() {
            throw new AssertionError();
        }

        @Override
        public void send(Gid source, Gid destination, int trafficClass, ByteBuffer mad) {
            ByteBuffer copy = copy(mad);
            sent.add(new Mad(copy));
            for (int copies = random.nextDouble() < doubling ? 2 : 1; copies > 0; copies--) {
                if (random.nextDouble() >= loss && !lost.test(new Mad(copy))) {
                    in(delay(), () -> arrive(source, destination, copy(copy)));
                }
            }
        }

        private ByteBuffer copy(ByteBuffer mad) {
            ByteBuffer copy = ByteBuffer.allocate(GsiPort.MAD_LENGTH);
            copy.put(0, mad, 0, GsiPort.MAD_LENGTH);
            return copy;
        }

        private void arrive(Gid source, Gid destination, ByteBuffer mad) {
            for (Node node : nodes) {
                if (node.gid.equals(destination)) {
                    node.seen.add(new Mad(mad));
                    if (!node.deaf) {
                        node.engine.received(source, destination, mad);
                    }
                }
            }
        }
    }

    /** Records the events of an end. */
    static class Told implements CmSink {
        record Event(int type, int status, ConnParam conn, UdParam ud, Endpoint child) {}

        final List<Event> events = new ArrayList<>();
        final List<Told> children = new ArrayList<>();
        Endpoint end;
        String reason;

        @Override
        public void event(int type, int status, ConnParam conn, UdParam ud, Object context, String why) {
            reason = why;
            event(type, status, conn, ud, context);
        }

        @Override
        public void event(int type, int status, ConnParam conn, UdParam ud, Object context) {
            events.add(new Event(type, status, conn, ud, null));
        }

        @Override
        public CmSink connectRequest(CmEndpoint child, ConnParam conn) {
            Told told = new Told();
            told.end = (Endpoint) child;
            children.add(told);
            events.add(new Event(io.verbs4j.cm.CmEventType.CONNECT_REQUEST, 0, conn, null, told.end));
            return told;
        }

        List<Integer> types() {
            return events.stream().map(Event::type).toList();
        }

        Event last() {
            return events.get(events.size() - 1);
        }
    }
}
