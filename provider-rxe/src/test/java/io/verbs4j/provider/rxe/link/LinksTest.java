/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(Patience.TEST_SECONDS)
class LinksTest {
    private static final List<String> PROPERTIES = List.of(
            LinkOptions.KIND_PROPERTY,
            LinkOptions.GSO_PROPERTY,
            LinkOptions.GRO_PROPERTY,
            LinkOptions.PCAP_PROPERTY,
            LinkOptions.PCAP_LIMIT_PROPERTY,
            LinkOptions.FAULT_PROPERTY,
            LinkOptions.RECEIVE_BUFFER_PROPERTY,
            LinkOptions.SEND_BUFFER_PROPERTY);

    @TempDir
    Path folder;

    @AfterEach
    void clear() {
        PROPERTIES.forEach(System::clearProperty);
        System.setProperty(LinkOptions.ONE_COPY_PROPERTY, "false"); // as in the build
    }

    private static LinkOptions of(LinkOptions.Kind kind) {
        return LinkOptions.defaults().withKind(kind);
    }

    @Test
    void systemCallsAreUsedWhereTheyWork() {
        try (Link link = Traffic.open(LinkOptions.defaults())) {
            assertThat(link).isInstanceOf(UdpLink.class);
            assertThat(link.pathMtu()).isEqualTo(4096);
        }
        try (Link link = Traffic.open(of(LinkOptions.Kind.NIO))) {
            assertThat(link).isInstanceOf(NioLink.class);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = LinkOptions.Kind.class,
            names = {"UDP", "NIO"})
    void openingSameAddressTwiceFails(LinkOptions.Kind kind) {
        InetAddress address = Traffic.address();
        try (Link first = Links.open(address, of(kind))) {
            assertThatThrownBy(() -> Links.open(address, of(kind)))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE))
                    .hasMessageContaining(first.localGid().toString())
                    .hasMessageContaining("rdma_rxe");
        }
        Links.open(address, of(kind)).close(); // available again
    }

    @ParameterizedTest
    @ValueSource(strings = {"203.0.113.77", "2001:db8::77"})
    void openingForeignAddressFails(String address) {
        assertThatThrownBy(() -> Links.open(InetAddress.getByName(address), LinkOptions.defaults()))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRNOTAVAIL))
                .hasMessageContaining("ip address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "224.0.0.1", "ff02::1"})
    void openingWildcardOrGroupAddressFails(String address) {
        assertThatThrownBy(() -> Links.open(InetAddress.getByName(address), LinkOptions.defaults()))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void badFaultsOpenNothing() {
        InetAddress address = Traffic.address();
        assertThatThrownBy(() -> Links.open(address, LinkOptions.defaults().withFaults("drop=2")))
                .isInstanceOf(IllegalArgumentException.class);
        Links.open(address, LinkOptions.defaults()).close();
    }

    @Test
    void propertiesSetOptions() {
        // The build turns one copy off for most tests.
        assertThat(LinkOptions.fromProperties())
                .isEqualTo(LinkOptions.defaults().withOneCopy(false));
        System.setProperty(LinkOptions.KIND_PROPERTY, " NIO ");
        System.setProperty(LinkOptions.GSO_PROPERTY, "false");
        System.setProperty(LinkOptions.PCAP_PROPERTY, "x.pcap");
        System.setProperty(LinkOptions.PCAP_LIMIT_PROPERTY, "5368709120");
        System.setProperty(LinkOptions.FAULT_PROPERTY, "drop=1");
        System.setProperty(LinkOptions.RECEIVE_BUFFER_PROPERTY, "65536");
        assertThat(LinkOptions.fromProperties())
                .isEqualTo(new LinkOptions(
                        LinkOptions.Kind.NIO, false, true, 65536, 4 << 20, "x.pcap", 5L << 30, "drop=1", false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.verbs4j.rxe.link=tcp",
                "io.verbs4j.rxe.gso=yes",
                "io.verbs4j.rxe.gro=",
                "io.verbs4j.rxe.onecopy=maybe",
                "io.verbs4j.rxe.rcvbuf=big",
                "io.verbs4j.rxe.sndbuf=0",
                "io.verbs4j.rxe.rcvbuf=2147483648",
                "io.verbs4j.rxe.pcaplimit=0"
            })
    void errorNamesWrongProperty(String setting) {
        String[] parts = setting.split("=", -1);
        System.setProperty(parts[0], parts[1]);
        assertThatThrownBy(LinkOptions::fromProperties)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(setting + ": use ");
    }

    @ParameterizedTest
    @EnumSource(
            value = LinkOptions.Kind.class,
            names = {"UDP", "NIO"})
    void packetsOfBothDirectionsAreCaptured(LinkOptions.Kind kind) throws IOException {
        Path file = folder.resolve(kind + ".pcap");
        LinkOptions options = of(kind).withPcapFile(file.toString());
        try (Link a = Traffic.open(options);
                Link b = Traffic.open(options)) {
            TxBatch batch = a.newBatch();
            for (int i = 0; i < 10; i++) {
                Traffic.send(batch, b.localGid(), i, 100);
            }
            batch.flush();
            assertThat(Traffic.receive(b, 10)).hasSize(10);
        }
        // Twenty packets: record header, IPv4, UDP, payload; and the file's header.
        int ethernet = (int) (Files.size(file) - 24 - 20 * (16 + 20 + 8 + 116)) / 20;
        assertThat(Files.size(file)).isEqualTo(24 + 20L * (16 + ethernet + 20 + 8 + 116));
        assertThat(ethernet).isIn(0, 14);
    }

    /** Packets too long to be coalesced for their path are sent, or fail, one by one. */
    @Test
    void packetsTooLongForInterfaceAreCounted() {
        try (Link a = Traffic.open(LinkOptions.defaults());
                Link b = Traffic.open(LinkOptions.defaults())) {
            TxBatch batch = a.newBatch();
            Traffic.send(batch, b.localGid(), 0, 65400); // within lo's 65536, but not together with another
            Traffic.send(batch, b.localGid(), 1, 8);
            batch.flush();
            assertThat(a.counters().get(LinkCounters.TX_PACKETS)).isEqualTo(2);
            assertThat(Traffic.numbers(Traffic.receive(b, 1))).containsExactly(1);
            assertThat(b.counters().get(LinkCounters.RX_OVERSIZE)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = LinkOptions.Kind.class,
            names = {"UDP", "NIO"})
    void otherAddressFamilyIsUnreachable(LinkOptions.Kind kind) {
        try (Link a = Traffic.open(of(kind))) {
            TxBatch batch = a.newBatch();
            Traffic.send(batch, Gid.of(0x20010db8_00000000L, 1), 0, 8);
            Traffic.send(batch, Gid.of(0x20010db8_00000000L, 1), 1, 8);
            batch.flush();
            assertThat(a.counters().get(LinkCounters.TX_UNREACHABLE)).isEqualTo(2);
            Traffic.send(batch, a.localGid(), 2, 8);
            batch.flush();
            assertThat(Traffic.numbers(Traffic.receive(a, 1))).containsExactly(2);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = LinkOptions.Kind.class,
            names = {"UDP", "NIO"})
    void packetsWithoutListenerAreSent(LinkOptions.Kind kind) {
        try (Link a = Traffic.open(of(kind))) {
            TxBatch batch = a.newBatch();
            for (int i = 0; i < 100; i++) {
                Traffic.send(batch, Gid.of(Traffic.address()), i, 8);
                batch.flush();
            }
            assertThat(a.counters().get(LinkCounters.TX_PACKETS)).isEqualTo(100);
            assertThat(a.poll(p -> {}, 10)).isZero();
        }
    }

    /** Opens a link at one of this machine's IPv6 addresses, which other programs use as well, each for a while. */
    private static Link openIpv6(LinkOptions options) throws IOException {
        List<InetAddress> addresses = new ArrayList<>();
        for (NetworkInterface nic : NetworkInterface.networkInterfaces().toList()) {
            if (nic.isUp() && !nic.isLoopback()) {
                nic.inetAddresses().filter(Inet6Address.class::isInstance).forEach(addresses::add);
            }
        }
        assumeTrue(!addresses.isEmpty(), "no interface has an IPv6 address");
        long end = System.nanoTime() + Patience.NANOS;
        while (true) {
            for (InetAddress address : addresses) {
                try {
                    return Links.open(address, options);
                } catch (VerbsException e) {
                    if (e.errno() != Errno.EADDRINUSE || System.nanoTime() > end) {
                        throw e;
                    }
                }
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    /** IPv6 has only one loopback address and no second one to talk to: the link talks to itself. */
    @ParameterizedTest
    @EnumSource(
            value = LinkOptions.Kind.class,
            names = {"UDP", "NIO"})
    void ipv6LinkReachesItselfAndGroup(LinkOptions.Kind kind) throws IOException {
        Gid group = Gid.of(0xff12L << 48, System.nanoTime() & 0xffffff | 1);
        try (Link a = openIpv6(of(kind))) {
            assertThat(a.localGid().toInetAddress()).isInstanceOf(Inet6Address.class);
            TxBatch batch = a.newBatch();
            for (int i = 0; i < 100; i++) {
                Traffic.send(batch, a.localGid(), i, 1000);
            }
            batch.flush();
            List<Traffic.Seen> seen = Traffic.receive(a, 100);
            assertThat(Traffic.numbers(seen))
                    .isEqualTo(IntStream.range(0, 100).boxed().toList());
            assertThat(seen)
                    .allMatch(s ->
                            s.source().equals(a.localGid()) && s.destination().equals(a.localGid()));
            a.joinMulticast(group);
            Traffic.send(batch, group, 7, 8);
            batch.flush();
            assertThat(Traffic.receive(a, 1)).containsExactly(new Traffic.Seen(7, 8, a.localGid(), Link.PORT, group));
        }
    }
}
