/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.BeforeEach;

/** A peer played by the test, against a listener. */
abstract class HostilePeer {
    static final int PORT = 7471;
    static final int BACKLOG = 8;

    final SimNet net = new SimNet(5);
    final SimNet.Node peer = net.node("10.0.0.1");
    final SimNet.Node here = net.node("10.0.0.2");
    final SimNet.Node stranger = net.node("10.0.0.3");
    final SimNet.Told told = new SimNet.Told();
    final Endpoint listener = here.end(PortSpace.TCP, told);

    @BeforeEach
    void listen() {
        peer.deaf = true;
        stranger.deaf = true;
        listener.bind(new InetSocketAddress(PORT));
        listener.listen(BACKLOG);
        Endpoint datagrams = here.end(PortSpace.UDP, new SimNet.Told());
        datagrams.bind(new InetSocketAddress(PORT));
        datagrams.listen(BACKLOG);
    }

    Req good(int id, int qpn) {
        return SimNet.request(peer.gid, here.gid, PORT, id, qpn);
    }

    void send(SimNet.Node from, Mad mad) {
        from.send(from.gid, here.gid, 0, mad.b);
        net.run(10);
    }

    /** Confirms the only accepted connection. */
    void confirm(int id) {
        net.run(10);
        Rep rep = new Rep(peer.seen.stream()
                .filter(mad -> mad.attribute() == Mad.REP)
                .findFirst()
                .orElseThrow()
                .b);
        Rtu rtu = new Rtu();
        rtu.localId(id);
        rtu.remoteId(rep.localId());
        here.engine.received(peer.gid, here.gid, rtu.b);
    }

    static java.nio.ByteBuffer copy(Mad mad) {
        return java.nio.ByteBuffer.allocate(Mad.LENGTH).put(0, mad.b, 0, Mad.LENGTH);
    }

    record Connected(SimNet.Told told, int localId, int remoteId) {}

    Connected connect() {
        send(peer, good(1, 2));
        SimNet.Told child = told.children.get(0);
        child.end.accept(ConnParam.DEFAULT.withQpNum(300));
        net.run(10);
        Rep rep = new Rep(peer.seen.get(peer.seen.size() - 1).b);
        Rtu rtu = new Rtu();
        rtu.localId(1);
        rtu.remoteId(rep.localId());
        send(peer, rtu);
        assertThat(child.types()).containsExactly(CmEventType.ESTABLISHED);
        peer.seen.clear();
        return new Connected(child, 1, rep.localId());
    }

    static Dreq dreq(int local, int remote, int qpn) {
        Dreq dreq = new Dreq();
        dreq.localId(local);
        dreq.remoteId(remote);
        dreq.remoteQpNum(qpn);
        return dreq;
    }
}
