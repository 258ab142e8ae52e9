/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.netty.VerbsOptions;
import io.verbs4j.testsupport.Patience;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.datagram.DatagramSocket;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever does not use RDMA uses NIO on the same event loops. */
@Timeout(Patience.TEST_SECONDS)
class NioBesideVerbsTest {
    private Vertx vertx;

    private Vertx vertx(VertxOptions options) {
        vertx = Vertx.builder()
                .with(options)
                .withTransport(new VerbsTransport())
                .build();
        return vertx;
    }

    @AfterEach
    void stopEndsSelectorThread() throws Exception {
        vertx.close().await(Patience.SECONDS, TimeUnit.SECONDS);
        long end = System.nanoTime() + Patience.NANOS;
        for (int turn = 0; hasSelectorThread() && System.nanoTime() - end < 0; turn++) {
            Patience.pause(turn);
        }
        assertThat(hasSelectorThread()).as(SelectorThread.NAME).isFalse();
    }

    private static boolean hasSelectorThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(SelectorThread.NAME));
    }

    @Test
    void datagramsAreSentAndReceived() throws Exception {
        vertx(new VertxOptions());
        DatagramSocket server = vertx.createDatagramSocket();
        server.handler(packet -> server.send(
                packet.data(), packet.sender().port(), packet.sender().host()));
        server.listen(0, "127.0.0.1").await(Patience.SECONDS, TimeUnit.SECONDS);
        assertThat(hasSelectorThread()).isTrue();
        DatagramSocket client = vertx.createDatagramSocket();
        client.listen(0, "127.0.0.1").await(Patience.SECONDS, TimeUnit.SECONDS);
        for (int i = 0; i < 100; i++) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            client.handler(packet -> answer.complete(packet.data().toString()));
            client.send("datagram " + i, server.localAddress().port(), "127.0.0.1")
                    .await(Patience.SECONDS, TimeUnit.SECONDS);
            assertThat(answer.get(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo("datagram " + i);
        }
        client.close().await(Patience.SECONDS, TimeUnit.SECONDS);
        server.close().await(Patience.SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void domainSocketsEcho(@TempDir Path folder) throws Exception {
        vertx(new VertxOptions());
        SocketAddress address =
                SocketAddress.domainSocketAddress(folder.resolve("socket").toString());
        vertx.createNetServer()
                .connectHandler(socket -> socket.handler(socket::write))
                .listen(address)
                .await(Patience.SECONDS, TimeUnit.SECONDS);
        NetClient client = vertx.createNetClient();
        echoes(client.connect(address).await(Patience.SECONDS, TimeUnit.SECONDS));
        client.close().await(Patience.SECONDS, TimeUnit.SECONDS);
    }

    private static void echoes(NetSocket socket) throws Exception {
        byte[] sent = new byte[3 << 20];
        sent[sent.length - 1] = 1;
        CompletableFuture<Buffer> echoed = new CompletableFuture<>();
        Buffer received = Buffer.buffer();
        socket.handler(part -> {
            received.appendBuffer(part);
            if (received.length() == sent.length) {
                echoed.complete(received);
            }
        });
        socket.write(Buffer.buffer(sent)).await(Patience.SECONDS, TimeUnit.SECONDS);
        assertThat(echoed.get(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(Buffer.buffer(sent));
    }

    /** Connects to a name that is resolved by a DNS server, through datagrams. */
    @Test
    void namesAreResolved() throws Exception {
        try (java.net.DatagramSocket dns = new java.net.DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            new Thread(() -> answer(dns)).start();
            vertx(new VertxOptions()
                    .setAddressResolverOptions(
                            new AddressResolverOptions().addServer("127.0.0.1:" + dns.getLocalPort())));
            NetServer listening = vertx.createNetServer()
                    .connectHandler(socket -> socket.handler(socket::write))
                    .listen(0, "127.0.0.1")
                    .await(Patience.SECONDS, TimeUnit.SECONDS);
            NetClient client = vertx.createNetClient();
            echoes(client.connect(listening.actualPort(), "service.test").await(Patience.SECONDS, TimeUnit.SECONDS));
            client.close().await(Patience.SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Answers queries for A records with 127.0.0.1, and others with nothing. */
    private static void answer(java.net.DatagramSocket dns) {
        byte[] question = new byte[512];
        while (true) {
            DatagramPacket packet = new DatagramPacket(question, question.length);
            try {
                dns.receive(packet);
                int nameEnd = 12;
                while (question[nameEnd] != 0) {
                    nameEnd += 1 + question[nameEnd];
                }
                int type = ByteBuffer.wrap(question).getShort(nameEnd + 1);
                boolean isA = type == 1;
                ByteBuffer answer = ByteBuffer.allocate(512)
                        .put(question, 0, 2)
                        .putShort((short) 0x8180)
                        .putShort((short) 1)
                        .putShort((short) (isA ? 1 : 0))
                        .putInt(0)
                        .put(question, 12, nameEnd + 5 - 12);
                if (isA) {
                    answer.putShort((short) 0xc00c)
                            .putShort((short) 1)
                            .putShort((short) 1)
                            .putInt(60)
                            .putShort((short) 4)
                            .put(new byte[] {127, 0, 0, 1});
                }
                dns.send(new DatagramPacket(answer.array(), answer.position(), packet.getSocketAddress()));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    @Test
    void instanceWithoutDeviceFallsBackToNioWithReason() {
        vertx = Vertx.builder()
                .withTransport(new VerbsTransport(VerbsOptions.DEFAULT.withDevice("none0")))
                .build();
        assertThat(vertx.isNativeTransportEnabled()).isFalse();
        assertThat(vertx.unavailableNativeTransportCause()).hasMessageContaining("none0");
    }
}
