/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.QpState;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.RejectReason;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The engine's reactions to each answer, and its repetitions. The test plays the peer, message by message. */
class PlayedPeerTest {
    private static final int PORT = 7471;
    private static final int OWN_QPN = 300;
    private static final int PEER_ID = 8;
    private static final int PEER_QPN = 9;

    private final SimNet net = new SimNet(6);
    private final SimNet.Node peer = net.node("10.0.0.1");
    private final SimNet.Node here = net.node("10.0.0.2");
    private final SimNet.Node stranger = net.node("10.0.0.3");
    private final SimNet.Told told = new SimNet.Told();

    @BeforeEach
    void play() {
        peer.deaf = true;
        stranger.deaf = true;
    }

    private void send(SimNet.Node from, Mad mad) {
        from.send(from.gid, here.gid, 0, mad.b);
        net.run(10);
    }

    private List<Integer> sent() {
        return here.sent.stream().map(Mad::attribute).toList();
    }

    // ---- the connecting side

    /** Requests a connection, and returns the request that was sent. */
    private Req request(ConnParam param) {
        told.end = here.end(PortSpace.TCP, told);
        told.end.resolveAddress(null, peer.at(PORT), 1);
        told.end.resolveRoute(1);
        told.events.clear();
        told.end.connect(param.withQpNum(OWN_QPN));
        net.run(10);
        Req req = new Req(here.sent.get(0).b);
        here.sent.clear();
        return req;
    }

    private Req request() {
        return request(ConnParam.DEFAULT);
    }

    private static Rep reply(Req req) {
        Rep rep = new Rep();
        rep.tid(req.tid());
        rep.localId(PEER_ID);
        rep.remoteId(req.localId());
        rep.qpNum(PEER_QPN);
        rep.responderResources(16);
        rep.initiatorDepth(16);
        rep.targetAckDelay(15);
        return rep;
    }

    private static Mra mra(int local, int remote, int message, int timeout) {
        Mra mra = new Mra();
        mra.localId(local);
        mra.remoteId(remote);
        mra.message(message);
        mra.serviceTimeout(timeout);
        return mra;
    }

    @Test
    void queuePairGetsLimitsOfBothSides() {
        Rep rep = reply(request(ConnParam.DEFAULT.withInitiatorDepth(3).withResponderResources(5)));
        rep.responderResources(200);
        rep.initiatorDepth(200);
        rep.rnrRetryCount(4);
        rep.targetAckDelay(20);
        send(peer, rep);
        assertThat(told.end.qpAttr(QpState.RTS).maxRdAtomic()).isEqualTo(3);
        assertThat(told.end.qpAttr(QpState.RTR).maxDestRdAtomic()).isEqualTo(5);
        assertThat(told.end.qpAttr(QpState.RTS).rnrRetry()).isEqualTo(4);
        assertThat(told.end.qpAttr(QpState.RTS).timeout())
                .isEqualTo(20); // which the peer's device takes, more than the way there
    }

    @Test
    void repeatedReplyIsAnsweredByMraThenRtu() {
        Rep rep = reply(request());
        send(peer, rep);
        assertThat(sent()).isEmpty();
        send(peer, rep); // the program is slow
        assertThat(sent()).containsExactly(Mad.MRA);
        Mra mra = new Mra(here.sent.get(0).b);
        assertThat(mra.message()).isEqualTo(1);
        assertThat(mra.localId()).isEqualTo(rep.remoteId());
        assertThat(mra.remoteId()).isEqualTo(PEER_ID);
        told.end.establish();
        send(peer, rep);
        assertThat(sent()).containsExactly(Mad.MRA, Mad.RTU, Mad.RTU);
    }

    @Test
    void connectingSideWaitsAsRequestedByMra() {
        Req req = request();
        send(peer, mra(PEER_ID, req.localId(), 1, 24)); // concerns a reply that does not exist
        send(stranger, mra(PEER_ID, req.localId(), 0, 24));
        net.run(300);
        assertThat(sent()).containsExactly(Mad.REQ);
        send(peer, mra(PEER_ID, req.localId(), 0, 20)); // 4 s, and 0.25 s for the way
        net.run(4_300);
        assertThat(sent()).containsExactly(Mad.REQ);
        net.run(100);
        assertThat(sent()).containsExactly(Mad.REQ, Mad.REQ);
        net.run(3_900); // as the peer is known to be slow
        assertThat(sent()).hasSize(2);
        net.run(200);
        assertThat(sent()).hasSize(3);
    }

    @Test
    void abandoningSideIdentifiesItself() {
        Req req = request();
        net.run(600_000);
        Rej rej = new Rej(here.sent.get(here.sent.size() - 1).b);
        assertThat(rej.attribute()).isEqualTo(Mad.REJ);
        assertThat(rej.reason()).isEqualTo(RejectReason.TIMEOUT);
        assertThat(rej.infoGuid()).isEqualTo(req.caGuid()).isEqualTo(here.guid());
        assertThat(rej.localId()).isEqualTo(req.localId());
    }

    private void established() {
        send(peer, reply(request()));
        told.end.establish();
        net.run(10);
        here.sent.clear();
        told.events.clear();
    }

    @Test
    void confirmationOfOtherConnectionIsIgnored() {
        established();
        told.end.disconnect();
        net.run(10);
        Dreq dreq = new Dreq(here.sent.get(0).b);
        assertThat(dreq.remoteQpNum()).isEqualTo(PEER_QPN);
        Drep drep = new Drep();
        drep.remoteId(dreq.localId());
        drep.localId(PEER_ID + 1);
        send(peer, drep);
        drep.localId(PEER_ID);
        send(stranger, drep);
        assertThat(told.events).isEmpty();
        send(peer, drep);
        assertThat(told.types()).containsExactly(CmEventType.DISCONNECTED);
        assertThat(told.last().status()).isZero();
    }

    @Test
    void unconfirmedDisconnectTimesOut() {
        established();
        told.end.disconnect();
        net.run(600_000);
        assertThat(told.types()).containsExactly(CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
        assertThat(told.events.get(0).status()).isEqualTo(-Errno.ETIMEDOUT);
        assertThat(sent()).hasSize(16).containsOnly(Mad.DREQ);
    }

    /** No two connections have the same id, whatever the random numbers. */
    @Test
    void connectionIdsAreUniqueAndNotZero() {
        int[] chance = {1, 5, 99, 0, 5, 6, 99};
        Random random = new Random() {
            private static final long serialVersionUID = 1;
            private int next;

            @Override
            public int nextInt() {
                return chance[next++ % chance.length];
            }
        };
        Engine engine = new Engine(here, () -> 0, random, () -> {});
        int first = engine.connect(null).localId;
        int second = engine.connect(null).localId;
        int third = engine.connect(null).localId;
        assertThat(List.of(first, second, third)).containsExactly(5, 99, 6);
    }

    // ---- the accepting side

    private Req asked() {
        Endpoint listener = here.end(PortSpace.TCP, told);
        listener.bind(new InetSocketAddress(PORT));
        listener.listen(4);
        Req req = SimNet.request(peer.gid, here.gid, PORT, PEER_ID, PEER_QPN);
        send(peer, req);
        return req;
    }

    private Rep accepted(ConnParam param) {
        asked();
        told.children.get(0).end.accept(param.withQpNum(OWN_QPN));
        net.run(10);
        Rep rep = new Rep(here.sent.get(0).b);
        here.sent.clear();
        return rep;
    }

    @Test
    void acceptLimitsReads() {
        Rep rep = accepted(ConnParam.DEFAULT.withResponderResources(1).withInitiatorDepth(2));
        assertThat(rep.responderResources()).isEqualTo(1);
        assertThat(rep.initiatorDepth()).isEqualTo(2);
        Endpoint child = told.children.get(0).end;
        assertThat(child.qpAttr(QpState.RTR).maxDestRdAtomic()).isEqualTo(1);
        assertThat(child.qpAttr(QpState.RTS).maxRdAtomic()).isEqualTo(2);
    }

    /** It must not be the peer's: otherwise anybody who knows one would know the other. */
    @Test
    void replyChoosesItsOwnStartingPsn() {
        Rep rep = accepted(ConnParam.DEFAULT);
        Endpoint child = told.children.get(0).end;
        assertThat(rep.startingPsn())
                .isNotEqualTo(99)
                .isEqualTo(child.qpAttr(QpState.RTR).rqPsn());
        assertThat(child.qpAttr(QpState.RTS).sqPsn()).isEqualTo(99);
    }

    @Test
    void acceptingSideWaitsAsRequestedByMra() {
        Rep rep = accepted(ConnParam.DEFAULT);
        send(peer, mra(PEER_ID + 1, rep.localId(), 1, 24));
        send(stranger, mra(PEER_ID, rep.localId(), 1, 24));
        send(peer, mra(PEER_ID, rep.localId(), 0, 24));
        net.run(300);
        assertThat(sent()).containsExactly(Mad.REP);
        send(peer, mra(PEER_ID, rep.localId(), 1, 20));
        net.run(4_300);
        assertThat(sent()).containsExactly(Mad.REP);
        net.run(100);
        assertThat(sent()).containsExactly(Mad.REP, Mad.REP);
    }

    /** Neither long times nor repeated requests keep a connection that was accepted and never confirmed. */
    @Test
    void repeatedMrasDoNotExtendWaitForever() {
        Rep rep = accepted(ConnParam.DEFAULT);
        for (int i = 0; i < 20 * 60; i++) {
            send(peer, mra(PEER_ID, rep.localId(), 1, 31));
            net.run(990);
        }
        assertThat(told.children.get(0).types()).containsExactly(CmEventType.UNREACHABLE);
        assertThat(here.engine.connectionCount()).isZero();
        assertThat(sent()).hasSize(15 + 1).endsWith(Mad.REJ);
    }

    /** A reply to the side that has replied itself is ignored. */
    @Test
    void replyToAcceptingSideIsIgnored() {
        Rep rep = accepted(ConnParam.DEFAULT);
        Rtu rtu = new Rtu();
        rtu.localId(PEER_ID);
        rtu.remoteId(rep.localId());
        send(peer, rtu);
        Rep wrong = new Rep();
        wrong.localId(PEER_ID);
        wrong.remoteId(rep.localId());
        send(peer, wrong);
        assertThat(sent()).isEmpty();
        assertThat(told.children.get(0).types()).containsExactly(CmEventType.ESTABLISHED);
    }

    /** A peer that does not know an id of this side must say that it gave up, and identify itself. */
    @Test
    void rejectWithoutIdRequiresTimeoutReasonAndGuid() {
        Req req = asked();
        Rej refused = new Rej();
        refused.localId(PEER_ID);
        refused.reason(RejectReason.CONSUMER_DEFINED);
        refused.infoGuid(req.caGuid());
        send(peer, refused);
        Rej nameless = new Rej();
        nameless.localId(PEER_ID);
        nameless.reason(RejectReason.TIMEOUT);
        nameless.infoGuid(req.caGuid());
        nameless.infoLength(Long.BYTES - 1);
        send(peer, nameless);
        assertThat(told.children.get(0).events).isEmpty();
        nameless.infoLength(Long.BYTES);
        send(peer, nameless);
        assertThat(told.children.get(0).types()).containsExactly(CmEventType.REJECTED);
    }

    @Test
    void backlogIsLimitedAsByKernel() {
        Endpoint listener = here.end(PortSpace.TCP, told);
        listener.bind(new InetSocketAddress(1));
        listener.listen(1_000_000);
        listener.close();
        Req req = asked();
        Endpoint wide = here.end(PortSpace.TCP, told);
        wide.bind(new InetSocketAddress(2));
        wide.listen(1_000_000);
        for (int i = 0; i < 2 * Endpoint.MAX_BACKLOG; i++) {
            req.localId(100 + i);
            req.qpNum(100 + i);
            req.serviceId(ServiceId.of(PortSpace.TCP, 2));
            java.nio.ByteBuffer copy = java.nio.ByteBuffer.allocate(Mad.LENGTH).put(0, req.b, 0, Mad.LENGTH);
            here.engine.received(peer.gid, here.gid, copy);
        }
        assertThat(told.children).hasSize(1 + 1024);
    }

    // ---- datagrams

    @Test
    void datagramReplyOfStrangerIsIgnored() {
        told.end = here.end(PortSpace.UDP, told);
        told.end.resolveAddress(null, peer.at(PORT), 1);
        told.end.resolveRoute(1);
        told.events.clear();
        told.end.connect(ConnParam.DEFAULT);
        net.run(10);
        SidrRep rep = new SidrRep();
        rep.localId(here.sent.get(0).localId());
        rep.qpNum(5);
        send(stranger, rep);
        assertThat(told.events).isEmpty();
        send(peer, rep);
        assertThat(told.types()).containsExactly(CmEventType.ESTABLISHED);
    }

    @Test
    void tooLongPrivateDataOfDatagramReplyFails() {
        Endpoint listener = here.end(PortSpace.UDP, told);
        listener.bind(new InetSocketAddress(PORT));
        listener.listen(1);
        SidrReq req = new SidrReq();
        req.localId(3);
        req.serviceId(ServiceId.of(PortSpace.UDP, PORT));
        req.cmaHeader().write(1, peer.gid, here.gid);
        send(peer, req);
        Endpoint child = told.children.get(0).end;
        assertThatThrownBy(() -> child.accept(ConnParam.DEFAULT.withPrivateData(new byte[137])))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        child.accept(ConnParam.DEFAULT.withPrivateData(new byte[136]));
        net.run(10);
        assertThat(sent()).containsExactly(Mad.SIDR_REP);
    }
}
