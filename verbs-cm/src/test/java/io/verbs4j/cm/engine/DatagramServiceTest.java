/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Port space UDP: queue pairs of datagram services, and multicast groups. */
class DatagramServiceTest {
    private static final int PORT = 7174;

    private final SimNet net = new SimNet(11);
    private final SimNet.Node a = net.node("10.0.0.1");
    private final SimNet.Node b = net.node("10.0.0.2");
    private final SimNet.Told client = new SimNet.Told();
    private final SimNet.Told server = new SimNet.Told();

    private void listen(int backlog) {
        server.end = b.end(PortSpace.UDP, server);
        server.end.bind(new InetSocketAddress(PORT));
        server.end.listen(backlog);
    }

    private void ask(int length) {
        client.end = a.end(PortSpace.UDP, client);
        client.end.resolveAddress(null, b.at(PORT), 1);
        client.end.resolveRoute(1);
        client.events.clear();
        client.end.connect(ConnParam.DEFAULT.withPrivateData(new byte[length]));
    }

    static List<Integer> seeds() {
        return IntStream.range(0, 50).boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void serviceIsFoundOnLossyNetwork(int seed) {
        SimNet lossy = new SimNet(seed);
        lossy.loss = 0.3;
        lossy.doubling = 0.3;
        lossy.longestDelayMillis = 200;
        SimNet.Node near = lossy.node("10.0.0.1");
        SimNet.Node far = lossy.node("10.0.0.2");
        server.end = far.end(PortSpace.UDP, server);
        server.end.bind(new InetSocketAddress(PORT));
        server.end.listen(0);
        client.end = near.end(PortSpace.UDP, client);
        client.end.resolveAddress(null, far.at(PORT), 1);
        client.end.resolveRoute(1);
        client.events.clear();
        client.end.connect(ConnParam.DEFAULT.withPrivateData((byte) 5));
        while (server.children.isEmpty()) {
            lossy.run(100);
        }
        lossy.run(1000);
        server.children.get(0).end.accept(ConnParam.DEFAULT.withQpNum(0x123456).withPrivateData((byte) 6));
        lossy.run(100_000);
        assertThat(server.children).hasSize(1);
        assertThat(server.events.get(0).conn().privateData()).hasSize(180).startsWith(5, 0);
        assertThat(client.types()).containsExactly(CmEventType.ESTABLISHED);
        assertThat(client.last().ud().qpNum()).isEqualTo(0x123456);
        assertThat(client.last().ud().qkey()).isEqualTo(0x0123_4567);
        assertThat(client.last().ud().dgid()).isEqualTo(far.gid);
        assertThat(client.last().ud().ahAttr().isGlobal()).isTrue();
        assertThat(client.last().conn().privateData()).hasSize(136).startsWith(6, 0);
        assertThat(client.last().ud().privateData()).hasSize(136).startsWith(6, 0);
        client.end.close();
        server.children.get(0).end.close();
        server.end.close();
        lossy.run(100_000);
        assertThat(near.engine.size() + far.engine.size()).isZero();
        assertThat(far.engine.runTimers()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void missingListenerAndRejectionAreReported() {
        ask(0);
        net.run(100);
        assertThat(client.types()).containsExactly(CmEventType.UNREACHABLE);
        assertThat(client.last().status()).isEqualTo(1);
        listen(0);
        ask(180);
        net.run(100);
        server.children.get(0).end.reject(28, new byte[] {3});
        net.run(100);
        assertThat(client.last().status()).isEqualTo(2);
        assertThat(client.last().conn().privateData()).hasSize(136).startsWith(3, 0);
        // another attempt is possible
        client.end.connect(ConnParam.DEFAULT);
        net.run(100);
        assertThat(server.children).hasSize(2);
        server.children.get(1).end.close();
        net.run(100);
        assertThat(client.last().status()).isEqualTo(2);
    }

    @Test
    void unansweredRequestTimesOut() {
        net.loss = 1;
        ask(0);
        net.run(600_000);
        assertThat(client.last().type()).isEqualTo(CmEventType.UNREACHABLE);
        assertThat(client.last().status()).isEqualTo(-Errno.ETIMEDOUT);
        client.end.close();
        assertThat(a.engine.size()).isZero();
    }

    @Test
    void floodOfRequestsIsBounded() {
        listen(4);
        for (int i = 0; i < 5000; i++) {
            SidrReq req = new SidrReq();
            req.localId(i);
            req.serviceId(ServiceId.of(PortSpace.UDP, PORT));
            req.cmaHeader().write(1, a.gid, b.gid);
            b.engine.received(a.gid, b.gid, req.b);
            if (i >= 100 && !server.children.isEmpty()) {
                SimNet.Told child = server.children.remove(0); // a program that answers all of them
                child.end.accept(ConnParam.DEFAULT);
                child.end.close();
            } else if (i < 100) {
                assertThat(server.children.size()).isLessThanOrEqualTo(4);
            }
        }
        assertThat(b.engine.sidr().answerCount()).isLessThanOrEqualTo(SidrTable.MOST_ANSWERS);
    }

    @Test
    void joiningMulticastRequiresBoundEndAndGroupAddress() {
        SimNet.Told told = new SimNet.Told();
        Endpoint end = a.end(PortSpace.UDP, told);
        assertThatThrownBy(() -> end.joinMulticast(SimNet.address("239.1.2.3"), null))
                .isInstanceOf(VerbsException.class); // not bound
        end.bind(a.at(0));
        assertThatThrownBy(() -> end.joinMulticast(SimNet.address("10.0.0.2"), null))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("is not a group");
        end.joinMulticast(SimNet.address("239.1.2.3"), "mine");
        assertThat(told.types()).containsExactly(CmEventType.MULTICAST_JOIN);
        assertThat(told.last().ud().dgid()).isEqualTo(SimNet.gid("239.1.2.3"));
        assertThat(told.last().ud().qpNum()).isEqualTo(0xff_ffff);
        assertThat(told.last().ud().qkey()).isEqualTo(0x0123_4567);
    }
}
