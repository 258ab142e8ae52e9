/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.spi.CmEndpoint;
import io.verbs4j.cm.spi.CmSink;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two engines over a network that loses, duplicates and reorders packets: both sides end in the same state, with one
 * event each, and nothing is left over.
 */
class LossyConnectionTest {
    private static final int PORT = 7471;

    /** Longer than all repetitions of a message. */
    private static final long LONG = 600_000;

    static List<Integer> seeds() {
        return IntStream.range(0, 300).boxed().toList();
    }

    /** A program that responds to its events after a delay. */
    private static final class Program extends SimNet.Told {
        private final SimNet net;
        private final long slowness;
        private final boolean rejects;

        Program(SimNet net, long slowness, boolean rejects) {
            this.net = net;
            this.slowness = slowness;
            this.rejects = rejects;
        }

        private void later(Runnable what) {
            net.in(slowness == 0 ? 0 : net.random.nextLong(slowness), () -> {
                try {
                    what.run();
                } catch (io.verbs4j.VerbsException e) {
                    assertThat(e.errno()).isIn(Errno.EINVAL, Errno.EBADF, Errno.ECONNABORTED); // too late
                }
            });
        }

        @Override
        public void event(int type, int status, ConnParam conn, io.verbs4j.cm.UdParam ud, Object context) {
            super.event(type, status, conn, ud, context);
            if (type == CmEventType.CONNECT_RESPONSE) {
                later(end::establish);
            }
        }

        @Override
        public CmSink connectRequest(CmEndpoint child, ConnParam conn) {
            CmSink sink = super.connectRequest(child, conn);
            if (rejects) {
                later(() -> child.reject(28, new byte[] {1, 2, 3}));
            } else {
                later(() -> child.accept(ConnParam.DEFAULT.withQpNum(200)));
            }
            return sink;
        }
    }

    private final SimNet.Node[] nodes = new SimNet.Node[2];
    private Program client;
    private Program server;

    private SimNet net(int seed, long slowness, boolean rejects) {
        SimNet net = new SimNet(seed);
        nodes[0] = net.node("10.0.0.1");
        nodes[1] = net.node("10.0.0.2");
        client = new Program(net, slowness, false);
        server = new Program(net, slowness, rejects);
        client.end = nodes[0].end(PortSpace.TCP, client);
        server.end = nodes[1].end(PortSpace.TCP, server);
        server.end.bind(new InetSocketAddress(PORT));
        server.end.listen(0);
        client.end.resolveAddress(null, nodes[1].at(PORT), 1000);
        client.end.resolveRoute(1000);
        client.events.clear();
        return net;
    }

    private void connect() {
        client.end.connect(ConnParam.DEFAULT.withQpNum(100).withPrivateData((byte) 7));
    }

    private void nothingIsLeft(SimNet net) {
        client.end.close();
        server.end.close();
        server.children.forEach(child -> child.end.close());
        net.run(LONG);
        for (SimNet.Node node : nodes) {
            assertThat(node.engine.size()).isZero();
            assertThat(node.engine.runTimers()).isEqualTo(Long.MAX_VALUE);
        }
    }

    private static void atMostOnce(SimNet.Told told) {
        for (int type : List.of(
                CmEventType.CONNECT_RESPONSE,
                CmEventType.ESTABLISHED,
                CmEventType.REJECTED,
                CmEventType.UNREACHABLE,
                CmEventType.DISCONNECTED,
                CmEventType.TIMEWAIT_EXIT)) {
            assertThat(Collections.frequency(told.types(), type))
                    .as(CmEventType.toString(type))
                    .isLessThanOrEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void bothSidesConnectAndDisconnect(int seed) {
        SimNet net = net(seed, seed % 3 * 1000L, false);
        net.loss = 0.3;
        net.doubling = 0.3;
        net.longestDelayMillis = seed % 5 * 100L;
        connect();
        net.run(120_000);
        // a request repeated after its connection ended makes another one; only one can be established
        SimNet.Told child = server.children.get(0);
        boolean established = client.types().contains(CmEventType.CONNECT_RESPONSE);
        assertThat(established).isTrue();
        assertThat(server.children).hasSize(1);
        assertThat(child.types()).containsExactly(CmEventType.ESTABLISHED);
        // either side disconnects, or both at once
        if (seed % 3 != 0) {
            client.end.disconnect();
        }
        if (seed % 3 != 1) {
            child.end.disconnect();
        }
        net.run(120_000);
        atMostOnce(client);
        atMostOnce(child);
        assertThat(client.types())
                .containsExactly(CmEventType.CONNECT_RESPONSE, CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
        assertThat(child.types())
                .containsExactly(CmEventType.ESTABLISHED, CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
        nothingIsLeft(net);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rejectedRequestReportsOneEvent(int seed) {
        SimNet net = net(seed, 500, true);
        net.loss = 0.3;
        net.doubling = 0.3;
        net.longestDelayMillis = 300;
        connect();
        net.run(LONG);
        atMostOnce(client);
        assertThat(client.types()).hasSize(1);
        assertThat(client.types().get(0)).isIn(CmEventType.REJECTED, CmEventType.UNREACHABLE);
        assertThat(server.children)
                .allSatisfy(child -> assertThat(child.types()).doesNotContain(CmEventType.ESTABLISHED));
        nothingIsLeft(net);
    }

    /** Almost nothing gets through: any outcome is final, and both sides agree on it. */
    @ParameterizedTest
    @MethodSource("seeds")
    void bothSidesAgreeOnVeryLossyNetwork(int seed) {
        SimNet net = net(seed, 1000, false);
        net.loss = 0.85;
        net.doubling = 0.1;
        net.longestDelayMillis = 500;
        connect();
        net.run(200_000);
        atMostOnce(client);
        server.children.forEach(LossyConnectionTest::atMostOnce);
        if (client.types().equals(List.of(CmEventType.UNREACHABLE))) {
            assertThat(server.children)
                    .allSatisfy(child -> assertThat(child.types()).doesNotContain(CmEventType.ESTABLISHED));
        }
        nothingIsLeft(net);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void closingEndsAtAnyTimeLeavesNothing(int seed) {
        SimNet net = net(seed, 200, false);
        net.loss = 0.2;
        net.doubling = 0.3;
        net.longestDelayMillis = 100;
        connect();
        net.in(net.random.nextLong(1500), client.end::close);
        net.in(net.random.nextLong(1500), () -> server.children.forEach(child -> child.end.close()));
        net.run(LONG);
        atMostOnce(client);
        nothingIsLeft(net);
    }

    @Test
    void unansweredRequestTimesOut() {
        SimNet net = net(1, 0, false);
        net.loss = 1;
        connect();
        net.run(LONG);
        assertThat(client.types()).containsExactly(CmEventType.UNREACHABLE);
        assertThat(client.last().status()).isEqualTo(-Errno.ETIMEDOUT);
        // sixteen requests, and the REJ that gives up
        assertThat(nodes[0].sent).hasSize(17);
        assertThat(nodes[0].sent.get(16).attribute()).isEqualTo(Mad.REJ);
        // another attempt is possible
        net.loss = 0;
        connect();
        net.run(1000);
        assertThat(client.types()).endsWith(CmEventType.CONNECT_RESPONSE);
        nothingIsLeft(net);
    }

    @Test
    void messagesAreSentOnceWithoutLoss() {
        SimNet net = net(1, 0, false);
        connect();
        net.run(1000);
        client.end.disconnect();
        net.run(LONG);
        assertThat(nodes[0].sent.stream().map(Mad::attribute)).containsExactly(Mad.REQ, Mad.RTU, Mad.DREQ);
        assertThat(nodes[1].sent.stream().map(Mad::attribute)).containsExactly(Mad.REP, Mad.DREP);
        assertThat(nodes[1].sent.get(0).tid()).isEqualTo(nodes[0].sent.get(0).tid());
        assertThat(nodes[0].sent.get(1).tid()).isEqualTo(nodes[0].sent.get(0).tid());
        assertThat(nodes[1].sent.get(1).tid()).isEqualTo(nodes[0].sent.get(2).tid());
        nothingIsLeft(net);
    }

    @Test
    void slowProgramIsReportedByMra() {
        SimNet net = net(1, 0, false);
        SimNet.Told slow = new SimNet.Told();
        server.end.close();
        Endpoint listener = nodes[1].end(PortSpace.TCP, slow);
        listener.bind(new InetSocketAddress(PORT));
        listener.listen(0);
        connect();
        net.run(10_000);
        // an MRA answers the first repetition, and then the peer waits for 65 s
        assertThat(nodes[0].sent.stream().map(Mad::attribute)).containsExactly(Mad.REQ, Mad.REQ);
        assertThat(nodes[1].sent.stream().map(Mad::attribute)).containsExactly(Mad.MRA);
        slow.children.get(0).end.accept(ConnParam.DEFAULT);
        net.run(100);
        assertThat(client.types()).containsExactly(CmEventType.CONNECT_RESPONSE);
        listener.close();
        slow.children.get(0).end.close();
        nothingIsLeft(net);
    }

    @Test
    void arrivedDataReplacesLostConfirmation() {
        SimNet net = net(1, 0, false);
        net.lost = mad -> mad.attribute() == Mad.RTU;
        connect();
        net.run(10);
        SimNet.Told child = server.children.get(0);
        assertThat(child.types()).isEmpty();
        nodes[1].engine.communicationEstablished(201);
        assertThat(child.types()).isEmpty();
        nodes[1].engine.communicationEstablished(200);
        assertThat(child.types()).containsExactly(CmEventType.ESTABLISHED);
        net.lost = mad -> false;
        nothingIsLeft(net);
    }

    @Test
    void peersAgreeOnParameters() {
        SimNet net = net(1, 0, false);
        client.end.setOption(io.verbs4j.cm.CmOption.ACK_TIMEOUT, 14);
        client.end.connect(ConnParam.DEFAULT
                .withQpNum(100)
                .withResponderResources(3)
                .withInitiatorDepth(5)
                .withRetryCount(4)
                .withRnrRetryCount(6)
                .withPrivateData((byte) 7));
        net.run(1000);
        Endpoint accepted = server.children.get(0).end;
        ConnParam seen = server.events.get(0).conn();
        assertThat(seen.responderResources()).isEqualTo(5);
        assertThat(seen.initiatorDepth()).isEqualTo(3);
        assertThat(seen.qpNum()).isEqualTo(100);
        assertThat(seen.privateData()).hasSize(56).startsWith(7, 0);
        io.verbs4j.QpAttr there = accepted.qpAttr(io.verbs4j.QpState.RTR);
        io.verbs4j.QpAttr here = client.end.qpAttr(io.verbs4j.QpState.RTS);
        assertThat(there.mask()).isEqualTo(0x129181);
        assertThat(here.mask()).isEqualTo(0x12e01);
        assertThat(client.end.qpAttr(io.verbs4j.QpState.INIT).mask()).isEqualTo(0x39);
        assertThat(there.destQpNum()).isEqualTo(100);
        assertThat(there.rqPsn()).isEqualTo(here.sqPsn());
        assertThat(there.maxDestRdAtomic()).isEqualTo(5);
        assertThat(here.maxRdAtomic()).isEqualTo(5);
        assertThat(accepted.qpAttr(io.verbs4j.QpState.RTS).maxRdAtomic()).isEqualTo(3);
        assertThat(accepted.qpAttr(io.verbs4j.QpState.RTS).rnrRetry()).isEqualTo(6);
        assertThat(accepted.qpAttr(io.verbs4j.QpState.RTS).retryCnt()).isEqualTo(4);
        assertThat(accepted.qpAttr(io.verbs4j.QpState.RTS).timeout()).isEqualTo(14);
        assertThat(there.ahAttr().grh().dgid()).isEqualTo(nodes[0].gid);
        assertThat(there.pathMtu()).isEqualTo(io.verbs4j.Mtu.MTU_1024);
        assertThat(client.end.qpAttr(io.verbs4j.QpState.RTR).rqPsn())
                .isEqualTo(accepted.qpAttr(io.verbs4j.QpState.RTS).sqPsn());
        nothingIsLeft(net);
    }
}
