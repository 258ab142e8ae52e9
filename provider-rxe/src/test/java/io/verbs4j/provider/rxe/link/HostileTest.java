/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is sent to the port is counted, and neither throws nor is delivered. */
@Timeout(Patience.TEST_SECONDS)
class HostileTest {
    static Stream<Named<LinkOptions>> options() {
        LinkOptions udp = LinkOptions.defaults().withKind(LinkOptions.Kind.UDP);
        return Stream.of(
                Named.of("udp", udp),
                Named.of("udp without GRO", udp.withOffload(true, false)),
                Named.of("nio", udp.withKind(LinkOptions.Kind.NIO)));
    }

    private static long dropped(Link link) {
        return link.counters().snapshot().entrySet().stream()
                .filter(e -> e.getKey().startsWith("rx_drop_"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static void send(DatagramChannel from, Link to, ByteBuffer b) throws IOException {
        from.send(b, new InetSocketAddress(to.localGid().toInetAddress(), Link.PORT));
    }

    private static void drain(Link link, long expected) {
        assertThat(drain(link, expected, 0)).isZero();
    }

    /** Waits until all packets were dropped except those delivered, before or now; returns how many were delivered. */
    private static long drain(Link link, long expected, long before) {
        long handedOn = before;
        long end = System.nanoTime() + Patience.NANOS;
        for (int turn = 0; dropped(link) + handedOn < expected && System.nanoTime() < end; turn++) {
            Patience.pause(turn);
            handedOn += link.poll(p -> {}, 16);
        }
        assertThat(dropped(link) + handedOn).isEqualTo(expected);
        return handedOn;
    }

    @ParameterizedTest
    @MethodSource("options")
    void packetsOfAnyLengthAreDropped(LinkOptions options) throws IOException {
        try (Link link = Traffic.open(options);
                DatagramChannel channel = DatagramChannel.open()) {
            int sent = 0;
            for (int length :
                    new int[] {0, 0, 0, 1, 2, 11, 12, 15, 16, 17, 4175, 4176, 4177, 8192, 8193, 20000, 65507}) {
                send(channel, link, ByteBuffer.allocate(length));
                sent++;
            }
            drain(link, sent);
            assertThat(link.counters().get(LinkCounters.RX_RUNT)).isEqualTo(8);
            assertThat(link.counters().get(LinkCounters.RX_OVERSIZE)).isEqualTo(5);
            assertThat(link.counters().get(LinkCounters.RX_PACKETS)).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("options")
    void randomPacketsAreDropped(LinkOptions options) throws IOException {
        Random random = new Random(5);
        long handedOn = 0;
        try (Link link = Traffic.open(options);
                DatagramChannel channel = DatagramChannel.open()) {
            for (int i = 0; i < 20_000; i++) {
                byte[] bytes = new byte[random.nextInt(200)];
                random.nextBytes(bytes);
                if (bytes.length > 1 && i % 2 == 0) {
                    bytes[1] = 0; // a version and padding that pass further checks
                }
                send(channel, link, ByteBuffer.wrap(bytes));
                if (i % 50 == 49) {
                    handedOn = drain(link, i + 1, handedOn);
                }
            }
            // With an unknown identification one random packet in 2^16 has a valid ICRC: docs/internals/icrc.md.
            assertThat(handedOn).isLessThan(5);
            assertThat(link.counters().get(LinkCounters.RX_BAD_ICRC)).isPositive();
            assertThat(link.counters().get("rx_drop_unknown_opcode")).isPositive();
        }
    }

    /** The sender chooses the source port (entropy for routers), and the ICRC covers it. */
    @ParameterizedTest
    @MethodSource("options")
    void packetsFromOtherPortsAreAccepted(LinkOptions options) throws IOException {
        try (Link link = Traffic.open(options);
                DatagramChannel channel = DatagramChannel.open()) {
            InetSocketAddress from = new InetSocketAddress(Traffic.address(), 0);
            channel.bind(from);
            int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            Gid source = Gid.of(from.getAddress());
            ByteBuffer b = ByteBuffer.allocate(16);
            Bth.write(b, 0, Opcode.RC_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, 1, false, 7);
            new Icrc()
                    .append(
                            b,
                            0,
                            12,
                            source.subnetPrefix(),
                            source.interfaceId(),
                            link.localGid().subnetPrefix(),
                            link.localGid().interfaceId(),
                            port,
                            Link.PORT,
                            0xbeef);
            send(channel, link, b);
            List<Traffic.Seen> seen = Traffic.receive(link, 1);
            assertThat(seen).containsExactly(new Traffic.Seen(7, 0, source, port, link.localGid()));
        }
    }
}
