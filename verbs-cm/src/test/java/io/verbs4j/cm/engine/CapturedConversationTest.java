/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpState;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmOption;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The engine takes the place of either kernel in a captured conversation. It sends the same bytes as that kernel,
 * except for what each side chooses for itself.
 */
class CapturedConversationTest {
    private static final int RPING = 7174;
    private static final int UCMATOSE = 7471;

    /** The parameters of rping. */
    private static final ConnParam ONE =
            ConnParam.DEFAULT.withResponderResources(1).withInitiatorDepth(1);

    private final SimNet net = new SimNet(9);
    private final SimNet.Node client = net.node("10.7.0.1");
    private final SimNet.Node server = net.node("10.7.0.2");

    private static Mad captured(String name) {
        return new Mad(Captured.message(name).buffer());
    }

    /** Returns the last message that the engine has sent. */
    private Mad sent(SimNet.Node node) {
        net.run(1);
        return node.sent.get(node.sent.size() - 1);
    }

    private void arrives(SimNet.Node at, Mad mad) {
        SimNet.Node from = at == client ? server : client;
        at.engine.received(from.gid, at.gid, mad.b);
    }

    private static void same(Mad ours, String name) {
        assertThat(Arrays.copyOf(ours.b.array(), Mad.LENGTH))
                .as(name)
                .isEqualTo(Captured.message(name).bytes());
    }

    private static void chosenInRequest(Req theirs, Req ours) {
        assertThat(ours.tid() & 0xffff_ffffL).isEqualTo(ours.localId() & 0xffff_ffffL);
        assertThat(ours.flowLabel())
                .isEqualTo(31 * ours.cmaHeader().port() + ServiceId.port(ours.serviceId()) & 0xf_ffff);
        ours.tid(theirs.tid());
        ours.localId(theirs.localId());
        ours.caGuid(theirs.caGuid());
        ours.startingPsn(theirs.startingPsn());
        ours.pathMtu(theirs.pathMtu()); // of the simulated network
        ours.cmaHeader().port(theirs.cmaHeader().port());
        ours.flowLabel(theirs.flowLabel());
    }

    private SimNet.Told connecting(int portSpace, int port, int trafficClass, int ackTimeout, ConnParam param) {
        server.deaf = true;
        SimNet.Told told = new SimNet.Told();
        told.end = client.end(portSpace, told);
        told.end.resolveAddress(null, server.at(port), 1);
        if (trafficClass != 0) {
            told.end.setOption(CmOption.TOS, trafficClass);
        }
        told.end.resolveRoute(1);
        if (ackTimeout != 0) {
            told.end.setOption(CmOption.ACK_TIMEOUT, ackTimeout);
        }
        told.end.connect(param);
        told.events.clear();
        return told;
    }

    @Test
    void connectingSendsBytesOfRping() {
        SimNet.Told told = connecting(PortSpace.TCP, RPING, 0, 0, ONE.withQpNum(0x11));
        Req req = new Req(sent(client).b);
        int id = req.localId();
        Req ours = new Req(ByteBuffer.wrap(req.b.array().clone()));
        chosenInRequest(new Req(captured("rping.req").b), ours);
        same(ours, "rping.req");

        Rep rep = new Rep(captured("rping.rep").b);
        rep.remoteId(id);
        arrives(client, rep);
        assertThat(told.types()).containsExactly(CmEventType.CONNECT_RESPONSE);
        assertThat(told.last().conn().qpNum()).isEqualTo(0x11);
        // each side has announced what it expects: rping's packets begin with the number in the other's message
        assertThat(told.end.qpAttr(QpState.RTR).rqPsn()).isEqualTo(req.startingPsn());
        assertThat(told.end.qpAttr(QpState.RTS).sqPsn()).isEqualTo(0x737c8a);
        told.end.establish();
        Mad rtu = sent(client);
        assertThat(rtu.tid()).isEqualTo(req.tid());
        rtu.tid(captured("rping.rtu").tid());
        rtu.localId(captured("rping.rtu").localId());
        same(rtu, "rping.rtu");

        told.end.disconnect();
        Mad dreq = sent(client);
        assertThat(dreq.tid()).isEqualTo(req.tid()); // agent and id
        dreq.tid(captured("rping.dreq").tid());
        dreq.localId(captured("rping.dreq").localId());
        same(dreq, "rping.dreq");

        Drep drep = new Drep(captured("rping.drep").b);
        drep.remoteId(id);
        arrives(client, drep);
        net.run(60_000);
        assertThat(told.types())
                .containsExactly(CmEventType.CONNECT_RESPONSE, CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
    }

    /** With a traffic class, an acknowledgement timeout, and counts of its own. */
    @Test
    void connectingSendsBytesOfUcmatose() {
        connecting(
                PortSpace.TCP,
                UCMATOSE,
                16,
                16, // the kernel was asked for 14, and used 16
                ONE.withQpNum(0x12).withRetryCount(5).withRnrRetryCount(0));
        Req ours = new Req(sent(client).b);
        chosenInRequest(new Req(captured("ucmatose.req").b), ours);
        same(ours, "ucmatose.req");
    }

    @Test
    void closingSendsRejectOfKernel() {
        SimNet.Told told = connecting(PortSpace.TCP, UCMATOSE, 0, 0, ONE);
        int id = sent(client).localId();
        told.end.close();
        Rej rej = new Rej(sent(client).b);
        assertThat(rej.infoGuid()).isEqualTo(client.guid());
        assertThat(rej.localId()).isEqualTo(id);
        rej.localId(captured("gone.rej").localId());
        rej.tid(captured("gone.rej").tid());
        rej.infoGuid(new Rej(captured("gone.rej").b).infoGuid());
        same(rej, "gone.rej");
    }

    @Test
    void datagramRequestHasBytesOfUdaddy() {
        SimNet.Told told = connecting(PortSpace.UDP, RPING, 0, 0, ConnParam.DEFAULT);
        SidrReq ours = new SidrReq(sent(client).b);
        SidrRep rep = new SidrRep(captured("udaddy.sidr_rep").b);
        rep.localId(ours.localId());
        arrives(client, rep);
        assertThat(told.types()).containsExactly(CmEventType.ESTABLISHED);
        assertThat(told.last().ud().qpNum()).isEqualTo(0x13);
        assertThat(told.last().ud().qkey()).isEqualTo(PortSpace.UDP_QKEY);
        SidrReq theirs = new SidrReq(captured("udaddy.sidr_req").b);
        ours.tid(theirs.tid());
        ours.localId(theirs.localId());
        ours.cmaHeader().port(theirs.cmaHeader().port());
        same(ours, "udaddy.sidr_req");
    }

    // ---- the other side

    private SimNet.Told listening(int portSpace, int port) {
        client.deaf = true;
        SimNet.Told told = new SimNet.Told();
        Endpoint listener = server.end(portSpace, told);
        listener.bind(new InetSocketAddress(port));
        listener.listen(4);
        return told;
    }

    private static void chosenInReply(Rep theirs, Rep ours) {
        ours.localId(theirs.localId());
        ours.caGuid(theirs.caGuid());
        ours.startingPsn(theirs.startingPsn());
    }

    @Test
    void acceptingSendsBytesOfRpingServer() {
        SimNet.Told told = listening(PortSpace.TCP, RPING);
        arrives(server, captured("rping.req"));
        assertThat(told.types()).containsExactly(CmEventType.CONNECT_REQUEST);
        Endpoint child = told.children.get(0).end;
        assertThat(child.peerAddress()).isEqualTo(client.at(0xdb2c));
        child.accept(ONE.withQpNum(0x11));
        Rep ours = new Rep(ByteBuffer.wrap(sent(server).b.array().clone()));
        int id = ours.localId();
        assertThat(child.qpAttr(QpState.RTR).rqPsn()).isEqualTo(ours.startingPsn());
        assertThat(child.qpAttr(QpState.RTS).sqPsn()).isEqualTo(0x12c2f3);
        chosenInReply(new Rep(captured("rping.rep").b), ours);
        same(ours, "rping.rep");

        Rtu rtu = new Rtu(captured("rping.rtu").b);
        rtu.remoteId(id);
        arrives(server, rtu);
        Dreq dreq = new Dreq(captured("rping.dreq").b);
        dreq.remoteId(id);
        arrives(server, dreq);
        assertThat(told.children.get(0).types()).isEqualTo(List.of(CmEventType.ESTABLISHED, CmEventType.DISCONNECTED));
        Mad drep = sent(server);
        drep.localId(captured("rping.drep").localId());
        same(drep, "rping.drep");
    }

    @Test
    void privateDataIsSentWithAcceptAndReject() {
        SimNet.Told told = listening(PortSpace.TCP, UCMATOSE);
        Rep theirs = new Rep(captured("full.rep").b);
        Req req = new Req(captured("full.req").b);
        req.localId(theirs.remoteId());
        req.tid(theirs.tid());
        arrives(server, req);
        byte[] data = new byte[Rep.PRIVATE_DATA_LENGTH];
        Arrays.fill(data, (byte) 0x5a);
        told.children.get(0).end.accept(ONE.withQpNum(theirs.qpNum()).withPrivateData(data));
        Rep rep = new Rep(ByteBuffer.wrap(sent(server).b.array().clone()));
        chosenInReply(theirs, rep);
        same(rep, "full.rep");

        req = new Req(captured("full.req").b);
        req.qpNum(77);
        arrives(server, req);
        assertThat(told.last().conn().privateData())
                .hasSize(56)
                .startsWith('r', 148, 0x11)
                .endsWith(0x11);
        told.children.get(1).end.reject(28, Arrays.copyOf(data, Rej.PRIVATE_DATA_LENGTH));
        Rej rej = new Rej(sent(server).b);
        rej.localId(captured("full.rej").localId());
        same(rej, "full.rej");
    }

    @Test
    void repeatedRequestIsAnsweredByMraOfKernel() {
        listening(PortSpace.TCP, UCMATOSE);
        Mra theirs = new Mra(captured("slow.mra").b);
        Req req = new Req(captured("full.req").b);
        req.localId(theirs.remoteId());
        req.tid(theirs.tid());
        arrives(server, req);
        arrives(server, req);
        Mad mra = sent(server);
        mra.localId(theirs.localId());
        same(mra, "slow.mra");
    }

    @Test
    void requestWithoutListenerIsRejectedAsByKernel() {
        listening(PortSpace.TCP, 1);
        Req req = new Req(captured("ucmatose.req").b);
        req.tid(captured("nobody.rej").tid());
        req.localId(new Rej(captured("nobody.rej").b).remoteId());
        arrives(server, req);
        same(sent(server), "nobody.rej");
        SidrReq asked = new SidrReq(captured("udaddy.sidr_req").b);
        asked.tid(captured("nobody.sidr_rep").tid());
        asked.localId(captured("nobody.sidr_rep").localId());
        arrives(server, asked);
        same(sent(server), "nobody.sidr_rep");
    }

    @Test
    void datagramRequestIsAcceptedAsByUdaddy() {
        SimNet.Told told = listening(PortSpace.UDP, RPING);
        arrives(server, captured("udaddy.sidr_req"));
        told.children.get(0).end.accept(ConnParam.DEFAULT.withQpNum(0x13));
        same(sent(server), "udaddy.sidr_rep");
    }

    @Test
    void datagramRequestIsRejectedAsByKernel() {
        SimNet.Told told = listening(PortSpace.UDP, UCMATOSE);
        arrives(server, captured("refused.sidr_req"));
        byte[] data = new byte[10];
        Arrays.fill(data, (byte) 0x5a);
        told.children.get(0).end.reject(28, data);
        same(sent(server), "refused.sidr_rep");
    }
}
