/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.Context;
import io.verbs4j.Gid;
import io.verbs4j.cm.spi.CmEndpoint;
import io.verbs4j.cm.spi.CmSignal;
import io.verbs4j.cm.spi.GsiPort;
import io.verbs4j.cm.spi.GsiReceiver;
import io.verbs4j.provider.rxe.link.EventFd;
import io.verbs4j.provider.rxe.link.Links;
import io.verbs4j.provider.rxe.packet.GsiOutput;
import io.verbs4j.provider.rxe.packet.ManagementPackets;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.wire.Packet;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The general service interface of an embedded device's port. While it is open, the port stays in use, with or without
 * open contexts.
 */
public final class GsiService implements GsiPort {
    private static final int ANY_PORT = 9; // nothing is sent there

    /** How long the system's choice is reused. It serves all connections to one address that are made in that time. */
    private static final long WAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Port port;
    private final long guid;
    private final LocalNames names = new LocalNames();
    private final Presences presences = new Presences();
    private volatile Opened opened;

    /** The system's last choice and its time. */
    private volatile Way last;

    private record Way(Gid destination, Gid chosen, long nanos) {}

    /** Creates a closed interface for a port of the node with the given GUID. */
    public GsiService(Port port, long guid) {
        this.port = port;
        this.guid = guid;
    }

    private record Opened(GsiOutput output, GsiReceiver receiver) implements ManagementPackets {
        @Override
        public void onPacket(Packet p) {
            Gid source = Gid.of(p.sourceGidHigh(), p.sourceGidLow());
            Gid destination = Gid.of(p.destinationGidHigh(), p.destinationGidLow());
            receiver.received(source, destination, p.buffer(), p.payloadOffset(), p.payloadLength());
        }

        @Override
        public void communicating(int qpNum) {
            receiver.communicationEstablished(qpNum);
        }
    }

    @Override
    public String name() {
        return port.name();
    }

    @Override
    public long guid() {
        return guid;
    }

    @Override
    public List<Gid> gids() {
        return port.gids();
    }

    @Override
    public int pathMtu(int gidIndex) {
        return port.pathMtu(gidIndex);
    }

    @Override
    public Gid sourceFor(Gid destination) {
        Opened now = opened;
        if (now == null || now.output.has(destination)) {
            return now == null ? null : destination;
        }
        if (Links.isName(destination)) { // the system knows nothing of names
            return Links.isName(port.gid(0)) ? port.gid(0) : null;
        }
        Gid chosen = chosenBySystem(destination);
        if (chosen != null && now.output.has(chosen)) {
            return chosen;
        }
        // The system chooses 127.0.0.1, which no device has; the port's address reaches all of that network.
        return chosen != null && chosen.toInetAddress().isLoopbackAddress() ? port.gid(0) : null;
    }

    private Gid chosenBySystem(Gid destination) {
        Way way = last;
        long now = System.nanoTime();
        if (way == null || !way.destination.equals(destination) || now - way.nanos > WAY_NANOS) {
            way = new Way(destination, askSystem(destination), now);
            last = way;
        }
        return way.chosen;
    }

    private static Gid askSystem(Gid destination) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setBroadcast(false); // otherwise the system finds a route to a network's broadcast address
            socket.connect(new InetSocketAddress(destination.toInetAddress(), ANY_PORT));
            return Gid.of(socket.getLocalAddress());
        } catch (SocketException | UncheckedIOException e) {
            return null; // no route
        }
    }

    @Override
    public synchronized void open(GsiReceiver receiver) {
        port.acquire();
        boolean done = false;
        try {
            Opened now = new Opened(new GsiOutput(port), receiver);
            opened = now;
            port.management(now);
            done = true;
        } finally {
            if (!done) {
                port.release();
            }
        }
    }

    @Override
    public synchronized void close() {
        if (opened != null) {
            opened = null;
            port.management(null);
            port.release();
        }
    }

    @Override
    public void endOpened(Context context, CmEndpoint end) {
        port.dependents().add("create_id", context, end);
    }

    @Override
    public void endClosed(Context context, CmEndpoint end) {
        port.dependents().remove(context, end);
    }

    @Override
    public void send(Gid source, Gid destination, int trafficClass, ByteBuffer mad) {
        Opened now = opened;
        if (now == null) {
            return;
        }
        if (port.localPort(destination) != null && now.output.has(destination)) {
            now.receiver.received(source, destination, mad, 0, MAD_LENGTH); // to itself, as messages are
        } else {
            now.output.send(source, destination, mad);
        }
    }

    @Override
    public CmSignal newSignal() {
        EventFd fd = port.newEventFd();
        return fd == null ? null : new EventSignal(fd);
    }

    @Override
    public int presence(Gid peer) {
        Opened now = opened;
        if (now == null || port.localPort(peer) != null) {
            return PRESENCE_THERE; // this process
        }
        boolean tells = presences.look(port.gid(0)) == PRESENCE_THERE; // whether the check works here
        return tells ? presences.look(peer) : PRESENCE_UNKNOWN;
    }

    @Override
    public int unfinishedSends(int qpNum) {
        RxeQp qp = port.find(qpNum);
        return qp == null ? 0 : qp.unfinishedSends();
    }

    @Override
    public long failedSends(int qpNum) {
        RxeQp qp = port.find(qpNum);
        return qp == null ? 0 : qp.failedSends();
    }

    @Override
    public void publish(int portSpace, int portNumber, Gid address) {
        names.publish(portSpace, portNumber, address, false);
    }

    @Override
    public void publish(int portSpace, int portNumber, Gid address, boolean byName) {
        names.publish(portSpace, portNumber, address, byName);
    }

    @Override
    public void withdraw(int portSpace, int portNumber) {
        names.withdraw(portSpace, portNumber);
    }

    @Override
    public void withdraw(int portSpace, int portNumber, Gid address) {
        names.withdraw(portSpace, portNumber, address);
    }

    @Override
    public Gid lookUp(int portSpace, int portNumber) {
        return names.lookUp(portSpace, portNumber);
    }

    @Override
    public String nameFolder() {
        return names.searched();
    }
}
