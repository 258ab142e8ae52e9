/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmOption;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.RejectReason;
import java.net.InetSocketAddress;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports, states and options of ends. */
class EndpointTest {
    private final SimNet net = new SimNet(21);
    private final SimNet.Node node = net.node("10.0.0.1");
    private final SimNet.Node other = net.node("10.0.0.2");

    private Endpoint end() {
        return node.end(PortSpace.TCP, new SimNet.Told());
    }

    private static AbstractThrowableAssert<?, ?> refused(int errno, ThrowingCallable what) {
        return assertThatThrownBy(what)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @Test
    void bindingSameAddressTwiceFails() {
        Endpoint first = end();
        first.bind(node.at(7));
        refused(Errno.EADDRINUSE, () -> end().bind(node.at(7)));
        refused(Errno.EADDRINUSE, () -> end().bind(new InetSocketAddress(7)));
        end().bind(node.at(8));
        node.end(PortSpace.UDP, new SimNet.Told()).bind(node.at(7));
        first.close();
        end().bind(node.at(7));
    }

    @Test
    void sharedPortHasOneListener() {
        Endpoint a = end();
        Endpoint b = end();
        a.setOption(CmOption.REUSEADDR, 1);
        b.setOption(CmOption.REUSEADDR, 1);
        a.bind(node.at(7));
        b.bind(node.at(7));
        refused(Errno.EADDRINUSE, () -> end().bind(node.at(7)));
        a.listen(0);
        refused(Errno.EADDRINUSE, () -> b.listen(0));
        a.close();
        b.listen(0);
    }

    @Test
    void portZeroBindsFreePort() {
        Endpoint a = end();
        a.bind(node.at(0));
        Endpoint b = end();
        b.listen(0);
        assertThat(a.localAddress().getPort()).isBetween(32768, 60999);
        assertThat(b.localAddress().getPort())
                .isBetween(32768, 60999)
                .isNotEqualTo(a.localAddress().getPort());
        assertThat(b.localAddress().getAddress().isAnyLocalAddress()).isTrue();
    }

    @Test
    void portZeroAvoidsPortsOfOtherProcesses() {
        node.othersPorts = port -> port % 8 != 0;
        for (int i = 0; i < 20; i++) {
            Endpoint bound = end();
            bound.bind(new InetSocketAddress(0));
            assertThat(bound.localAddress().getPort() % 8).isZero();
            Endpoint listening = end();
            listening.listen(0);
            assertThat(listening.localAddress().getPort() % 8).isZero();
        }
        assertThat(node.engine.ports().size()).isEqualTo(40); // ports that were given up are not kept
    }

    /** An address belongs to one process, which owns all its ports. */
    @Test
    void portZeroOfOwnAddressIgnoresPortsOfOtherProcesses() {
        node.othersPorts = port -> true;
        Endpoint bound = end();
        bound.bind(node.at(0));
        assertThat(bound.localAddress().getPort()).isBetween(32768, 60999);
    }

    @Test
    void bindingForeignAddressFails() {
        refused(Errno.EADDRNOTAVAIL, () -> end().bind(other.at(7)));
        refused(Errno.EADDRNOTAVAIL, () -> end().resolveAddress(other.at(0), other.at(7), 1));
        refused(Errno.EINVAL, () -> end().bind(InetSocketAddress.createUnresolved("nowhere", 1)));
    }

    @Test
    void resolvingOtherAddressFamilyFails() {
        SimNet.Told told = new SimNet.Told();
        Endpoint end = node.end(PortSpace.TCP, told);
        end.resolveAddress(null, new InetSocketAddress(SimNet.address("fd00::1"), 7), 1);
        assertThat(told.types()).containsExactly(CmEventType.ADDR_ERROR);
        assertThat(told.last().status()).isEqualTo(-Errno.EADDRNOTAVAIL);
    }

    @Test
    void callsInWrongStateFail() {
        Endpoint end = end();
        refused(Errno.EINVAL, () -> end.resolveRoute(1));
        refused(Errno.EINVAL, () -> end.connect(ConnParam.DEFAULT));
        refused(Errno.EINVAL, () -> end.accept(ConnParam.DEFAULT));
        refused(Errno.EINVAL, () -> end.reject(28, new byte[0]));
        refused(Errno.EINVAL, end::establish);
        refused(Errno.EINVAL, end::disconnect);
        refused(Errno.EINVAL, end::communicationEstablished);
        refused(Errno.EINVAL, () -> end.qpAttr(io.verbs4j.QpState.INIT));
        end.listen(1);
        refused(Errno.EINVAL, () -> end.listen(1));
        refused(Errno.EINVAL, () -> end.resolveAddress(null, other.at(7), 1));
        end.close();
        end.close();
        refused(Errno.EBADF, () -> end.bind(node.at(0))).hasMessageContaining("closed");
    }

    @Test
    void optionsAreValidatedAndSentInRequest() {
        Endpoint end = end();
        refused(Errno.EINVAL, () -> end.setOption(CmOption.TOS, 256));
        refused(Errno.EINVAL, () -> end.setOption(CmOption.ACK_TIMEOUT, 32));
        refused(Errno.EINVAL, () -> end.setOption(CmOption.ACK_TIMEOUT, -1));
        refused(Errno.EOPNOTSUPP, () -> end.setOption(9, 0));
        end.setOption(CmOption.TOS, 0x68);
        end.resolveAddress(null, other.at(7), 1);
        end.resolveRoute(1);
        refused(Errno.EINVAL, () -> end.setOption(CmOption.TOS, 0));
        end.connect(ConnParam.DEFAULT);
        Req req = new Req(node.sent.get(0).b);
        assertThat(req.trafficClass()).isEqualTo(0x68);
        assertThat(req.ackTimeout()).isEqualTo(17); // a packet lifetime of 0.27 s, and a device that takes 0.13 s
        assertThat(req.serviceId()).isEqualTo(0x0106_0007L);
        assertThat(req.flowLabel()).isEqualTo((31 * end.localAddress().getPort() + 7) & 0xf_ffff);
    }

    /** The value set by the listener, the request or the client is used unchanged, and only there. */
    @ParameterizedTest
    @CsvSource({"-1,-1,-1,17,17", "13,-1,-1,13,13", "-1,12,-1,17,12", "-1,-1,11,17,11", "10,12,11,10,11", "0,-1,-1,0,1"
    })
    void ackTimeoutIsUsedAsSet(int client, int listening, int request, int expectedHere, int expectedThere) {
        SimNet.Told server = new SimNet.Told();
        Endpoint listener = other.end(PortSpace.TCP, server);
        set(listener, listening);
        listener.bind(new InetSocketAddress(7));
        listener.listen(0);
        SimNet.Told told = new SimNet.Told();
        Endpoint end = node.end(PortSpace.TCP, told);
        end.resolveAddress(null, other.at(7), 1);
        end.resolveRoute(1);
        set(end, client);
        end.connect(ConnParam.DEFAULT);
        refused(Errno.EINVAL, () -> set(end, 14)).hasMessageContaining("ACK_TIMEOUT is set too late");
        net.run(10);
        Endpoint child = server.children.get(0).end;
        set(child, request);
        child.accept(ConnParam.DEFAULT);
        refused(Errno.EINVAL, () -> set(child, 14)).hasMessageContaining("before connect or accept");
        net.run(10);
        assertThat(end.qpAttr(io.verbs4j.QpState.RTS).timeout()).isEqualTo(expectedHere);
        assertThat(child.qpAttr(io.verbs4j.QpState.RTS).timeout()).isEqualTo(expectedThere);
    }

    private static void set(Endpoint end, int ackTimeout) {
        if (ackTimeout >= 0) {
            end.setOption(CmOption.ACK_TIMEOUT, ackTimeout);
        }
    }

    @Test
    void requestsInheritTrafficClassOfListener() {
        SimNet.Told server = new SimNet.Told();
        Endpoint listener = other.end(PortSpace.TCP, server);
        listener.bind(new InetSocketAddress(7));
        listener.listen(0);
        listener.setOption(CmOption.TOS, 0x20);
        Endpoint end = end();
        end.resolveAddress(null, other.at(7), 1);
        end.resolveRoute(1);
        end.connect(ConnParam.DEFAULT);
        net.run(10);
        Endpoint child = server.children.get(0).end;
        assertThat(trafficClass(child)).isEqualTo(0x20);
        child.setOption(CmOption.TOS, 0x40);
        assertThat(trafficClass(child)).isEqualTo(0x40);
        child.accept(ConnParam.DEFAULT);
        refused(Errno.EINVAL, () -> child.setOption(CmOption.TOS, 0)).hasMessageContaining("TOS");
        refused(Errno.EINVAL, () -> child.setOption(CmOption.REUSEADDR, 1)).hasMessageContaining("bind_addr");
    }

    private static int trafficClass(Endpoint end) {
        return end.qpAttr(io.verbs4j.QpState.RTR).ahAttr().grh().trafficClass();
    }

    @Test
    void datagramsHaveNoAckTimeout() {
        refused(Errno.EINVAL, () -> set(node.end(PortSpace.UDP, new SimNet.Told()), 14))
                .hasMessageContaining("datagrams are not acknowledged");
    }

    /** As for a socket, the wildcard means this machine. */
    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "127.0.0.1"})
    void wildcardLeadsToThisMachine(String destination) {
        SimNet.Told server = new SimNet.Told();
        Endpoint listener = node.end(PortSpace.TCP, server);
        listener.bind(new InetSocketAddress(7));
        listener.listen(0);
        SimNet.Told told = new SimNet.Told();
        Endpoint end = node.end(PortSpace.TCP, told);
        end.resolveAddress(null, new InetSocketAddress(SimNet.address(destination), 7), 1);
        end.resolveRoute(1);
        end.connect(ConnParam.DEFAULT);
        net.run(10);
        assertThat(server.types()).containsExactly(CmEventType.CONNECT_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"255.255.255.255", "224.0.0.5", "ff02::1"})
    void resolvingBroadcastOrMulticastFails(String destination) {
        SimNet.Told told = new SimNet.Told();
        Endpoint end = node.end(PortSpace.TCP, told);
        end.resolveAddress(null, new InetSocketAddress(SimNet.address(destination), 7), 1);
        assertThat(told.types()).containsExactly(CmEventType.ADDR_ERROR);
        assertThat(told.last().status()).isEqualTo(-Errno.EADDRNOTAVAIL);
        assertThat(told.reason).contains("a connection has one peer");
        end.resolveAddress(null, other.at(7), 1); // another attempt is possible
        assertThat(told.last().type()).isEqualTo(CmEventType.ADDR_RESOLVED);
    }

    @Test
    void tooLongPrivateDataFails() {
        SimNet.Told server = new SimNet.Told();
        Endpoint listener = other.end(PortSpace.TCP, server);
        listener.bind(new InetSocketAddress(7));
        listener.listen(0);
        SimNet.Told client = new SimNet.Told();
        Endpoint end = node.end(PortSpace.TCP, client);
        end.resolveAddress(null, other.at(7), 1);
        end.resolveRoute(1);
        client.events.clear();
        refused(Errno.EINVAL, () -> end.connect(ConnParam.DEFAULT.withPrivateData(new byte[57])));
        end.connect(ConnParam.DEFAULT.withPrivateData(new byte[56]));
        net.run(10);
        Endpoint child = server.children.get(0).end;
        refused(Errno.EINVAL, () -> child.accept(ConnParam.DEFAULT.withPrivateData(new byte[197])));
        refused(Errno.EINVAL, () -> child.reject(28, new byte[149]));
        byte[] data = new byte[148];
        data[147] = 9;
        child.reject(RejectReason.NO_RESOURCES, data);
        net.run(10);
        assertThat(client.types()).containsExactly(CmEventType.REJECTED);
        assertThat(client.last().status()).isEqualTo(RejectReason.NO_RESOURCES);
        assertThat(client.last().conn().privateData()).isEqualTo(data);
    }

    @Test
    void timeoutsAreConvertedAsByLinux() {
        assertThat(CmTime.nanos(20)).isEqualTo(4_096_000_000L);
        assertThat(CmTime.nanos(0)).isEqualTo(1_000_000L);
        assertThat(CmTime.nanos(19)).isEqualTo(2_048_000_000L);
        // as measured with Linux, whose Soft-RoCE states 15 as its delay
        assertThat(CmTime.ackTimeout(15, 18)).isEqualTo(19);
        assertThat(CmTime.ackTimeout(15, 16)).isEqualTo(17);
        assertThat(CmTime.ackTimeout(15, 13)).isEqualTo(16);
        assertThat(CmTime.ackTimeout(31, 31)).isEqualTo(31); // the maximum of a queue pair
    }
}
