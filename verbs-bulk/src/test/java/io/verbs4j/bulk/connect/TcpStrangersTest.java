/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.Mtu;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.bulk.BulkConfig;
import io.verbs4j.bulk.BulkConnections;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.bulk.BulkProgress;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.OwnThreads;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strangers that connect to an endpoint's TCP port, and strangers that listen where an endpoint is expected. */
class TcpStrangersTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final QueuePairAddress NOWHERE = new QueuePairAddress(
            0x999, 1, Gid.of(InetAddress.getLoopbackAddress()), 0, Mtu.MTU_1024, false, 1, 1, 0, 0);
    private static final Hello HELLO = new Hello(Hello.VERSION, 32, 1, 77, 0, 0, 4096, 0xf);

    private Context context;
    private BulkConfig config;
    private BulkEndpoint endpoint;

    @BeforeEach
    void open() {
        context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT);
        config = BulkConfig.of(context).withProgress(BulkProgress.SERVICE).withConnections(BulkConnections.TCP);
        endpoint = BulkEndpoint.open(config.withAddress(ANY));
    }

    @AfterEach
    void close() {
        endpoint.close();
        context.close(); // EBUSY if anything were left
    }

    private Socket stranger() throws IOException {
        Socket socket =
                new Socket(endpoint.address().getAddress(), endpoint.address().getPort());
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(Patience.SECONDS));
        return socket;
    }

    /** Returns the reason that a stranger receives before the connection is closed. */
    private String reason(byte... bytes) throws IOException {
        try (Socket socket = stranger()) {
            socket.getOutputStream().write(bytes);
            byte[] answer = socket.getInputStream().readAllBytes();
            return new String(answer, TcpMessage.HEADER, answer.length - TcpMessage.HEADER, StandardCharsets.UTF_8);
        }
    }

    private static byte[] request(QueuePairAddress address, Hello hello) {
        ByteBuffer encoded = TcpMessage.of(TcpMessage.REQUEST, address, hello).encode();
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return bytes;
    }

    private static byte[] with(byte[] bytes, int at, int value) {
        byte[] changed = bytes.clone();
        changed[at] = (byte) value;
        return changed;
    }

    private void assertServes() {
        try (BulkEndpoint other = BulkEndpoint.open(config)) {
            BulkPeer peer = other.connect(endpoint.address(), Patience.SECONDS, TimeUnit.SECONDS);
            assertThat(peer.endpointId()).isEqualTo(endpoint.id());
        }
    }

    @Test
    void otherBytesAreRefusedWithReason() throws IOException {
        byte[] request = request(NOWHERE, HELLO);
        assertThat(reason("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .contains("does not speak the protocol of bulk endpoints", "GET");
        assertThat(reason(with(request, 5, 0x7f))).contains("108 to 512");
        assertThat(reason(with(request, 6, TcpMessage.REPLY))).contains("not a request");
        assertThat(reason(with(request, 52, 0))).contains("not an endpoint of the bulk transport");
        assertThat(reason(with(request, 62, 1))).contains("1 slots");
        assertThat(reason(with(request, 11, 1))).contains("24 bits");
        assertThat(reason(with(request, 34, 0))).contains("path MTU 0");
        assertThat(reason(with(request, 35, 1))).contains("InfiniBand");
        assertServes();
    }

    @Test
    void incompleteRequestIsDropped() throws IOException {
        try (Socket gone = stranger()) {
            gone.getOutputStream().write(request(NOWHERE, HELLO), 0, 50);
        }
        try (Socket half = stranger()) {
            half.getOutputStream().write(request(NOWHERE, HELLO), 0, 50);
            assertServes();
            assertThat(half.isClosed()).isFalse();
        }
    }

    /** Also applies to a stranger that has sent part of a request. */
    @Test
    @Full
    void silentStrangerIsDroppedAfterTimeout() throws IOException {
        try (Socket silent = stranger();
                Socket half = stranger()) {
            half.getOutputStream().write(request(NOWHERE, HELLO), 0, 50);
            for (Socket socket : List.of(silent, half)) {
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .endsWith("it sent no request");
            }
        }
    }

    /** A peer never confirms: its queue pair and its connection are closed. */
    @Test
    void unconfirmedRequestsDoNotBlockOthers() throws IOException {
        List<Socket> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) { // more than there are threads
            Socket socket = stranger();
            all.add(socket);
            socket.getOutputStream().write(request(NOWHERE, HELLO));
        }
        assertServes();
        for (Socket socket : all) {
            socket.close();
        }
    }

    @Test
    void bytesAfterConfirmationEndConnection() throws IOException {
        try (Socket socket = stranger()) {
            socket.getOutputStream().write(request(NOWHERE, HELLO));
            byte[] reply = socket.getInputStream().readNBytes(request(NOWHERE, HELLO).length);
            assertThat(reply[6]).isEqualTo((byte) TcpMessage.REPLY);
            byte[] ready = new byte[TcpMessage.HEADER];
            TcpMessage.ready().encode().get(ready);
            socket.getOutputStream().write(ready);
            socket.getOutputStream().write(ready);
            assertThat(socket.getInputStream().readAllBytes()).isEmpty();
        }
        assertServes();
    }

    @Test
    void thousandSilentConnectionsDoNotBlockOthers() throws IOException {
        List<Socket> all = new ArrayList<>();
        try {
            for (int i = 0; i < 1000; i++) {
                all.add(stranger());
            }
            assertServes();
            for (Socket socket : all.subList(0, 1000 - TcpListener.MAX_SILENT)) { // the oldest were dropped
                assertThat(socket.getInputStream().readAllBytes()).isNotEmpty();
            }
        } finally {
            for (Socket socket : all) {
                socket.close();
            }
        }
        assertServes();
    }

    /** Also closes a connection that is sending, and one that has sent a request. */
    @Test
    void closingEndsUnfinishedConnections() throws IOException {
        try (Socket silent = stranger();
                Socket asking = stranger()) {
            asking.getOutputStream().write(request(NOWHERE, HELLO));
            assertThat(asking.getInputStream().read()).isEqualTo('V'); // the reply: waits for confirmation
            endpoint.close();
            assertThat(asking.getInputStream().readAllBytes()).isNotEmpty();
            assertThat(new String(silent.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .endsWith("the endpoint is closed");
        }
    }

    private void assertConnectFails(int port, int errno, String... words) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        assertThatThrownBy(() -> endpoint.connect(address, errno == Errno.ETIMEDOUT ? 1 : 60, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).as("%s", e).isEqualTo(errno))
                .hasMessageContaining("127.0.0.1:" + port)
                .hasMessageContainingAll(words);
    }

    /** With datagrams, a peer's description of itself may be wrong, which is harmless. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 6, 99})
    void invalidPathMtuIsNotUsed(int mtu) throws IOException {
        Gid gid = Gid.of(InetAddress.getLoopbackAddress());
        QueuePairAddress address = new QueuePairAddress(0x999, 0, gid, 0, mtu, false, 0, 0, 5, 77);
        Hello hello = new Hello(Hello.VERSION, 32, 1, 77, 0, 0, 4096, 0x1f);
        if (mtu < Mtu.MTU_256) {
            assertThat(reason(request(address, hello))).contains("path MTU " + mtu);
        } else {
            try (Socket socket = stranger()) {
                socket.getOutputStream().write(request(address, hello));
                byte[] reply = socket.getInputStream().readNBytes(108);
                assertThat(reply[6]).isEqualTo((byte) TcpMessage.REPLY);
            }
        }
        assertServes();
    }

    @Test
    void connectingToOtherServerFails() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertConnectFails(server.getLocalPort(), Errno.ETIMEDOUT, "in time");
            server.accept().close(); // the earlier one
            for (String answer : List.of("SSH-2.0-OpenSSH\r\n", "")) {
                CompletableFuture<Void> served = OwnThreads.supply(() -> {
                    try (Socket socket = server.accept()) {
                        socket.getInputStream().readNBytes(108);
                        socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                        return null;
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
                if (answer.isEmpty()) {
                    assertConnectFails(server.getLocalPort(), Errno.ECONNRESET, "closed");
                } else {
                    assertConnectFails(server.getLocalPort(), Errno.EPROTO, "does not speak", "SSH-2.0");
                }
                served.get();
            }
        }
        assertConnectFails(1, Errno.ECONNREFUSED, "refused");
    }

    @Test
    void interruptEndsConnecting() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.currentThread().interrupt();
            try {
                assertConnectFails(server.getLocalPort(), Errno.EINTR, "interrupted");
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }
}
