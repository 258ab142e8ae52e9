/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.cm;

import io.verbs4j.AhAttr;
import io.verbs4j.Context;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.net.Address;
import io.verbs4j.tools.traffic.Endpoint;
import io.verbs4j.tools.traffic.Opened;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** The side that waits. It listens for connections and, if the device supports it, for datagrams at the same port. */
public final class CmServer implements CmPeer {
    private static final int BACKLOG = 16;
    private static final int HOPS = 64;

    private final Context context;
    private final CmListener listener;
    private final CmEvents events;
    private final long timeoutNanos;
    private final Opened joined = new Opened();
    private CmSocket socket;
    private long token;

    private CmServer(Context context, CmListener listener, long timeoutNanos) {
        this.context = context;
        this.listener = listener;
        this.timeoutNanos = timeoutNanos;
        events = new CmEvents(listener.id().channel(), timeoutNanos);
    }

    /**
     * Starts to listen.
     *
     * @param reach the address to listen at and its device; stays open
     * @param timeoutNanos longest time to wait for a client, and for each {@link #join}
     */
    public static CmServer listen(Reach reach, long timeoutNanos) {
        CmListener listener;
        try {
            listener = CmListener.listen(reach.context(), reach.address(), BACKLOG);
        } catch (VerbsException e) {
            throw CmFailures.of(e);
        }
        CmServer server = new CmServer(reach.context(), listener, timeoutNanos);
        try {
            CmId datagrams = listener.id().channel().createId(reach.context(), PortSpace.UDP);
            datagrams.bind(new InetSocketAddress(
                    reach.address().getAddress(), listener.address().getPort()));
            datagrams.listen(BACKLOG);
        } catch (VerbsException e) {
            System.getLogger(CmServer.class.getName())
                    .log(System.Logger.Level.DEBUG, "can't listen for datagram clients", e); // requests get an error
        }
        return server;
    }

    /** {@return the port that it listens at} */
    public int port() {
        return listener.address().getPort();
    }

    /** Waits for a client. */
    public void accept() {
        long end = events.end();
        while (true) {
            CmSocket next = new CmSocket(context);
            boolean done = false;
            try {
                CmConnection connection = listener.accept(
                        next.pd(),
                        next.attr(),
                        ConnParam.DEFAULT,
                        next::prepare,
                        Math.max(0, end - System.nanoTime()),
                        TimeUnit.NANOSECONDS);
                if (connection == null) {
                    throw ToolException.failed("no client connected to port " + port() + " within "
                            + timeoutNanos / 1_000_000_000L
                            + " s; --timeout sets how long to wait, --timeout 0 waits forever");
                }
                next.connected(connection);
                Introduction client = Introduction.fromWire(connection.peer().privateData(), false);
                done = client != null && client.what() == Introduction.STREAM;
                if (done) {
                    socket = next;
                    token = client.token();
                    return;
                }
            } catch (VerbsException e) {
                throw CmFailures.of(e);
            } finally {
                if (!done) {
                    next.close(); // not a client of this program
                }
            }
        }
    }

    @Override
    public Socket socket() {
        return socket;
    }

    @Override
    public void join(Endpoint endpoint) {
        joined.close();
        boolean datagrams = endpoint.isDatagrams();
        for (int i = 0; i < endpoint.local().size(); i++) {
            CmEvent request = awaitRequest(datagrams, i);
            joined.keep(request.id());
            if (datagrams) {
                answer(endpoint, request);
            } else {
                accept(endpoint, request, i);
            }
        }
    }

    /** Waits for the client's request for a queue pair; refuses all others. */
    private CmEvent awaitRequest(boolean datagrams, int index) {
        long end = events.end();
        for (CmEvent event = events.next(end); event != null; event = events.next(end)) {
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                if (event.id().portSpace() == (datagrams ? PortSpace.UDP : PortSpace.TCP)) {
                    Introduction who = Introduction.fromWire(event.conn().privateData(), datagrams);
                    if (who != null && who.token() == token && who.what() == index) {
                        return event;
                    }
                }
                event.id().close();
            }
        }
        throw ToolException.failed("the client did not connect its queue pair in time");
    }

    private void accept(Endpoint endpoint, CmEvent request, int index) {
        CmId id = request.id();
        QueuePair qp = endpoint.queuePair(index);
        int reads = endpoint.readDepth();
        boolean moved = Iwarp.movesQueuePairs(qp);
        if (!moved) {
            QpAttr rtr = id.qpAttr(QpState.RTR);
            QpAttr rts = id.qpAttr(QpState.RTS);
            rtr.maxDestRdAtomic(Math.min(rtr.maxDestRdAtomic(), reads));
            rts.maxRdAtomic(Math.min(rts.maxRdAtomic(), reads));
            qp.modify(rtr);
            qp.modify(rts);
            endpoint.connected(index, Gid.of(id.localAddress().getAddress()), rtr, rts);
        }
        id.accept(ConnParam.DEFAULT
                .withResponderResources(reads)
                .withInitiatorDepth(reads)
                .withSrq(qp.srq() != null)
                .withQpNum(qp.qpNum()));
        events.await(id, CmEventType.ESTABLISHED);
        if (moved) {
            Iwarp.connected(endpoint, index, id);
        }
    }

    private void answer(Endpoint endpoint, CmEvent request) {
        CmId id = request.id();
        endpoint.toDatagrams(id.qpAttr(QpState.INIT), id.qpAttr(QpState.RTR), id.qpAttr(QpState.RTS));
        Address there =
                Introduction.fromWire(request.conn().privateData(), true).address();
        Gid own = Gid.of(id.localAddress().getAddress());
        AhAttr path = new AhAttr()
                .isGlobal(true)
                .portNum(1)
                .grh(new GlobalRoute().dgid(there.gid()).sgidIndex(indexOf(own)).hopLimit(HOPS));
        endpoint.reaches(own, path, there, PortSpace.UDP_QKEY);
        id.accept(ConnParam.DEFAULT.withQpNum(endpoint.queuePair(0).qpNum()));
    }

    private int indexOf(Gid gid) {
        int entries = context.queryPort(1).gidTblLen();
        for (int i = 0; i < entries; i++) {
            if (context.queryGid(1, i).equals(gid)) {
                return i;
            }
        }
        throw ToolException.failed("the device does not have the GID that the client connected to");
    }

    @Override
    public void close() {
        try {
            listener.close();
        } finally {
            if (socket != null) {
                socket.close();
            }
        }
    }
}
