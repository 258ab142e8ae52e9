/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.RejectReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections with a peer that is hostile, and interfering strangers. */
class HostileConnectionTest extends HostilePeer {
    @Test
    void messagesWithWrongIdsDoNotEndConnection() {
        Connected c = connect();
        List<Mad> tries = new ArrayList<>();
        tries.add(dreq(2, c.remoteId(), 300));
        tries.add(dreq(1, c.remoteId() + 1, 300));
        tries.add(dreq(1, c.remoteId(), 301));
        Rej wrong = new Rej();
        wrong.localId(2);
        wrong.remoteId(c.remoteId());
        wrong.reason(28);
        tries.add(wrong);
        Rej late = new Rej();
        late.localId(1);
        late.remoteId(c.remoteId() + 1);
        late.reason(28);
        tries.add(late);
        tries.forEach(mad -> send(peer, mad));
        // the right ids from another address have no effect either
        send(stranger, dreq(1, c.remoteId(), 300));
        Rej foreign = new Rej();
        foreign.localId(1);
        foreign.remoteId(c.remoteId());
        foreign.reason(28);
        send(stranger, foreign);
        Rej timeout = new Rej();
        timeout.localId(1);
        timeout.reason(RejectReason.TIMEOUT);
        timeout.infoGuid(0x1234);
        send(stranger, timeout);
        assertThat(c.told().types()).containsExactly(CmEventType.ESTABLISHED);
        // the peer ends it
        send(peer, dreq(1, c.remoteId(), 300));
        assertThat(c.told().types()).containsExactly(CmEventType.ESTABLISHED, CmEventType.DISCONNECTED);
    }

    @Test
    void disconnectOfUnknownConnectionIsConfirmed() {
        send(stranger, dreq(5, 6, 7));
        Drep drep = new Drep(stranger.seen.get(0).b);
        assertThat(drep.attribute()).isEqualTo(Mad.DREP);
        assertThat(drep.localId()).isEqualTo(6);
        assertThat(drep.remoteId()).isEqualTo(5);
    }

    @Test
    void repeatedDisconnectIsConfirmedUntilTimewaitEnds() {
        Connected c = connect();
        send(peer, dreq(1, c.remoteId(), 300));
        send(peer, dreq(1, c.remoteId(), 300));
        assertThat(peer.seen.stream().map(Mad::attribute)).containsExactly(Mad.DREP, Mad.DREP);
        net.run(60_000);
        assertThat(c.told().types())
                .containsExactly(CmEventType.ESTABLISHED, CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
    }

    /**
     * A request that names the queue pair of a connection is refused; only the connection's peer can say whether it is
     * stale.
     */
    @Test
    void livePeerKeepsDoubtedConnection() {
        Connected c = connect();
        send(peer, good(9, 2));
        assertThat(new Rej(peer.seen.get(0).b).reason()).isEqualTo(RejectReason.STALE_CONN);
        assertThat(peer.seen.get(1).attribute()).isEqualTo(Mad.REP); // the probe
        Rtu rtu = new Rtu();
        rtu.localId(1);
        rtu.remoteId(c.remoteId());
        send(peer, rtu);
        net.run(600_000);
        assertThat(peer.seen).hasSize(2);
        assertThat(c.told().types()).containsExactly(CmEventType.ESTABLISHED);
    }

    @Test
    void deadPeerLosesDoubtedConnection() {
        Connected c = connect();
        send(peer, good(9, 2));
        net.run(60_000);
        assertThat(c.told().types())
                .containsExactly(CmEventType.ESTABLISHED, CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
        send(peer, good(9, 2));
        assertThat(told.children).hasSize(2);
    }

    @Test
    void strangerCannotCauseProbeOfConnection() {
        Connected c = connect();
        Req req = good(9, 2);
        req.localGid(stranger.gid);
        req.cmaHeader().write(1, stranger.gid, here.gid);
        send(stranger, req);
        net.run(60_000);
        assertThat(peer.seen).isEmpty();
        assertThat(c.told().types()).containsExactly(CmEventType.ESTABLISHED);
    }

    /** An impostor that comes first does not block the real peer. */
    @Test
    void earlierImpostorDoesNotBlockPeer() {
        Req first = good(1, 2);
        first.localGid(stranger.gid);
        first.cmaHeader().write(1, stranger.gid, here.gid);
        send(stranger, first);
        assertThat(told.children).hasSize(1);
        send(peer, good(1, 2));
        assertThat(told.children).hasSize(2);
        assertThat(peer.seen).isEmpty();
        assertThat(told.children.get(1).end.peerAddress().getAddress()).isEqualTo(peer.gid.toInetAddress());
    }

    /** A peer's statement of its packet lifetime does not keep anything for hours. */
    @Test
    void timewaitIsBoundedDespiteLongAckTimeout() {
        Req req = good(1, 2);
        req.ackTimeout(31);
        send(peer, req);
        SimNet.Told child = told.children.get(0);
        child.end.accept(ConnParam.DEFAULT.withQpNum(300));
        assertThat(child.end.qpAttr(io.verbs4j.QpState.RTS).timeout()).isEqualTo(31);
        net.run(10);
        Rep rep = new Rep(peer.seen.get(0).b);
        send(peer, dreq(1, rep.localId(), 300));
        assertThat(child.types()).containsExactly(CmEventType.DISCONNECTED);
        net.run(17_000);
        assertThat(child.types()).containsExactly(CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
        assertThat(here.engine.connectionCount()).isZero();
    }

    /** The connecting side receives answers that are not the peer's. */
    @Test
    void answersOfStrangersAreIgnored() {
        SimNet.Told client = new SimNet.Told();
        client.end = here.end(PortSpace.TCP, client);
        client.end.resolveAddress(null, peer.at(1), 1);
        client.end.resolveRoute(1);
        client.end.connect(ConnParam.DEFAULT.withQpNum(7));
        net.run(10);
        Req req = new Req(peer.seen.get(0).b);
        client.events.clear();
        Rep rep = new Rep();
        rep.localId(8);
        rep.remoteId(req.localId());
        send(stranger, rep);
        Rej rej = new Rej();
        rej.remoteId(req.localId());
        rej.reason(28);
        send(stranger, rej);
        rep.remoteId(req.localId() + 1);
        send(peer, rep);
        assertThat(client.events).isEmpty();
        rep.remoteId(req.localId());
        send(peer, rep);
        assertThat(client.types()).containsExactly(CmEventType.CONNECT_RESPONSE);
        // a second answer, for another queue pair, changes nothing
        rep.localId(9);
        rep.qpNum(55);
        send(peer, rep);
        assertThat(client.end.qpAttr(io.verbs4j.QpState.RTR).destQpNum()).isZero();
    }
}
