/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.cm;

import io.verbs4j.Gid;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.UdParam;
import io.verbs4j.tools.net.Address;
import io.verbs4j.tools.traffic.Endpoint;
import io.verbs4j.tools.traffic.Opened;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

/** The side that connects. */
public final class CmClient implements CmPeer {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long RESOLVE_MILLIS = 2000;

    private final Reach server;
    private final EventChannel channel = EventChannel.create();
    private final CmEvents events;
    private final CmSocket socket;
    private final long token = RANDOM.nextLong();
    private final Opened joined = new Opened();

    private CmClient(Reach server, long timeoutNanos) {
        this.server = server;
        events = new CmEvents(channel, timeoutNanos);
        socket = new CmSocket(server.context());
    }

    /**
     * Connects to a listening program.
     *
     * @param server the server's address and the device that reaches it; stays open
     * @param timeoutNanos longest time for connecting, and for each {@link #join}
     */
    public static CmClient connect(Reach server, long timeoutNanos) {
        CmClient client = new CmClient(server, timeoutNanos);
        boolean done = false;
        try {
            client.socket.connected(CmConnection.connect(
                    client.socket.pd(),
                    server.address(),
                    client.socket.attr(),
                    client.param(Introduction.STREAM, null),
                    client.socket::prepare,
                    timeoutNanos,
                    TimeUnit.NANOSECONDS));
            done = true;
            return client;
        } catch (VerbsException e) {
            throw CmFailures.of(e);
        } finally {
            if (!done) {
                client.close();
            }
        }
    }

    private ConnParam param(int what, Address address) {
        return ConnParam.DEFAULT.withPrivateData(new Introduction(what, token, address).toWire());
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
            CmId id = joined.keep(channel.createId(server.context(), datagrams ? PortSpace.UDP : PortSpace.TCP));
            id.resolveAddress(null, server.address(), RESOLVE_MILLIS, TimeUnit.MILLISECONDS);
            events.await(id, CmEventType.ADDR_RESOLVED);
            id.resolveRoute(RESOLVE_MILLIS, TimeUnit.MILLISECONDS);
            events.await(id, CmEventType.ROUTE_RESOLVED);
            if (datagrams) {
                ask(endpoint, id, i);
            } else {
                connect(endpoint, id, i);
            }
        }
    }

    private void connect(Endpoint endpoint, CmId id, int index) {
        QueuePair qp = endpoint.queuePair(index);
        int reads = endpoint.readDepth();
        id.connect(param(index, null)
                .withResponderResources(reads)
                .withInitiatorDepth(reads)
                .withSrq(qp.srq() != null)
                .withQpNum(qp.qpNum()));
        if (Iwarp.movesQueuePairs(qp)) {
            events.await(id, CmEventType.ESTABLISHED);
            Iwarp.connected(endpoint, index, id);
            return;
        }
        events.await(id, CmEventType.CONNECT_RESPONSE);
        QpAttr rtr = id.qpAttr(QpState.RTR);
        QpAttr rts = id.qpAttr(QpState.RTS);
        qp.modify(rtr);
        qp.modify(rts);
        id.establish();
        endpoint.connected(index, gid(id), rtr, rts);
    }

    private void ask(Endpoint endpoint, CmId id, int index) {
        endpoint.toDatagrams(id.qpAttr(QpState.INIT), id.qpAttr(QpState.RTR), id.qpAttr(QpState.RTS));
        Address own = endpoint.local().get(index);
        id.connect(param(index, new Address(0, own.qpn(), own.psn(), gid(id))));
        UdParam there = events.await(id, CmEventType.ESTABLISHED).ud();
        endpoint.reaches(gid(id), there.ahAttr(), new Address(0, there.qpNum(), 0, there.dgid()), there.qkey());
    }

    private static Gid gid(CmId id) {
        return Gid.of(id.localAddress().getAddress());
    }

    @Override
    public void close() {
        try {
            channel.close();
        } finally {
            socket.close();
        }
    }
}
