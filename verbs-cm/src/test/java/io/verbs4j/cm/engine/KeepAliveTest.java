/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.spi.GsiPort;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a silent peer counts as gone. */
class KeepAliveTest {
    private static final int PORT = 7471;
    private static final long TIME = TimeUnit.SECONDS.toNanos(60);

    private final SimNet net = new SimNet(3);
    private final SimNet.Node here = net.node("10.0.0.1");
    private final SimNet.Node there = net.node("10.0.0.2");
    private final SimNet.Told client = new SimNet.Told();
    private final SimNet.Told listener = new SimNet.Told();
    private SimNet.Told server;

    @BeforeEach
    void connect() {
        Endpoint end = there.end(PortSpace.TCP, listener);
        end.bind(new InetSocketAddress(there.gid.toInetAddress(), PORT));
        end.listen(1);
        client.end = here.end(PortSpace.TCP, client);
        client.end.resolveAddress(null, there.at(PORT), 1);
        client.end.resolveRoute(1);
        client.end.keepAlive(TIME);
        client.end.connect(ConnParam.DEFAULT.withQpNum(300));
        net.run(10);
        server = listener.children.get(0);
        server.end.accept(ConnParam.DEFAULT.withQpNum(400));
        net.run(10);
        client.end.establish();
        net.run(10);
        server.end.keepAlive(TIME);
        assertThat(server.types()).endsWith(CmEventType.ESTABLISHED);
    }

    private static void isGone(SimNet.Told told) {
        assertThat(told.events)
                .filteredOn(event -> event.type() == CmEventType.DISCONNECTED)
                .extracting(SimNet.Told.Event::status)
                .containsExactly(-Errno.ETIMEDOUT);
    }

    private static boolean isTold(SimNet.Told told) {
        return told.types().contains(CmEventType.DISCONNECTED);
    }

    @Test
    void answeringPeerStaysConnected() {
        net.run(TimeUnit.HOURS.toMillis(1));
        assertThat(isTold(client)).isFalse();
        assertThat(isTold(server)).isFalse();
    }

    /** The network loses many packets, but the peer is alive. */
    @Test
    void lostAnswersAreRequestedAgain() {
        net.loss = 0.2;
        net.run(TimeUnit.MINUTES.toMillis(5));
        assertThat(isTold(client)).isFalse();
    }

    @Test
    void silentPeerIsDisconnectedAfterKeepAliveTime() {
        there.deaf = true;
        net.run(TimeUnit.SECONDS.toMillis(40));
        assertThat(isTold(client)).isFalse();
        net.run(TimeUnit.SECONDS.toMillis(25));
        isGone(client);
        here.deaf = true;
        net.run(TimeUnit.SECONDS.toMillis(65));
        isGone(server);
    }

    /** Another process has the address now, and knows nothing of the connection. */
    @Test
    void restartedPeerIsDisconnected() {
        net.restart(there);
        net.run(TimeUnit.SECONDS.toMillis(13));
        isGone(client);
    }

    @Test
    void endedProcessIsNoticedAtOnce() {
        there.deaf = true;
        here.presence = GsiPort.PRESENCE_GONE;
        net.run(1000);
        isGone(client);
    }

    /** A stopped process answers nothing. */
    @Test
    void stoppedProcessStaysConnected() {
        there.deaf = true;
        here.presence = GsiPort.PRESENCE_THERE;
        net.run(TimeUnit.HOURS.toMillis(1));
        assertThat(isTold(client)).isFalse();
        here.presence = GsiPort.PRESENCE_GONE;
        net.run(1000);
        isGone(client);
    }

    @Test
    void disabledKeepAliveSendsNothing() {
        client.end.keepAlive(0);
        server.end.keepAlive(0);
        net.run(10);
        here.sent.clear();
        there.deaf = true;
        net.run(TimeUnit.HOURS.toMillis(1));
        assertThat(here.sent).isEmpty();
        assertThat(isTold(client)).isFalse();
    }

    /** No timer is left when the connection ends. */
    @Test
    void keepAliveEndsWithConnection() {
        client.end.disconnect();
        net.run(TimeUnit.MINUTES.toMillis(2));
        here.sent.clear();
        there.sent.clear();
        net.run(TimeUnit.HOURS.toMillis(1));
        assertThat(here.sent).isEmpty();
        assertThat(there.sent).isEmpty();
        assertThat(here.engine.connectionCount()).isZero();
        assertThat(there.engine.connectionCount()).isZero();
    }

    /** The right ids from a wrong address end nothing, nor does an answer without a question. */
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.3", "10.0.0.2"})
    void wrongAddressOrIdsEndNothing(String from) {
        SimNet.Node stranger = from.equals("10.0.0.2") ? there : net.node(from);
        int asked = net.idOfPeer(here);
        for (int id : new int[] {0, asked + 1, from.equals("10.0.0.3") ? asked : 7}) {
            Drep drep = new Drep();
            drep.localId(id);
            drep.remoteId(net.ownId(here));
            stranger.send(stranger.gid, here.gid, 0, drep.b);
        }
        net.run(100);
        assertThat(isTold(client)).isFalse();
    }

    /** The peer's address and both ids are not enough: the message must answer a question of this side. */
    @Test
    void answerWithWrongTransactionIdEndsNothing() {
        Drep drep = new Drep();
        drep.tid(here.engine.newTid(net.ownId(here)) ^ 1L << 40);
        drep.localId(net.idOfPeer(here));
        drep.remoteId(net.ownId(here));
        there.send(there.gid, here.gid, 0, drep.b);
        net.run(100);
        assertThat(isTold(client)).isFalse();
        drep.tid(here.engine.newTid(net.ownId(here)));
        there.send(there.gid, here.gid, 0, drep.b);
        net.run(100);
        isGone(client);
    }

    /** The JVM exits while a peer does not answer. */
    @Test
    void exitDisconnectsWithoutWaitingForPeer() {
        there.deaf = true;
        here.sent.clear();
        ExitHook.disconnect(List.of(here.engine));
        assertThat(here.sent).extracting(Mad::attribute).containsExactly(Mad.DREQ);
        assertThat(new Dreq(here.sent.get(0).b).remoteQpNum()).isEqualTo(400);
        net.run(TimeUnit.MINUTES.toMillis(2));
        isGone(client);
    }
}
