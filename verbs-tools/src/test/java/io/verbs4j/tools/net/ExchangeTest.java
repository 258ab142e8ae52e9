/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Gid;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.tools.base.ExitCode;
import io.verbs4j.tools.base.ToolException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExchangeTest {
    private static final int TIMEOUT = 5000;
    private static final String SERVER_TEXT = "0000:000012:000002:00000000000000000000ffff7f000002";
    private static final Address CLIENT = new Address(0, 0x11, 1, Gid.parseHex("00000000000000000000ffff7f000001"));
    private static final Address SERVER = new Address(0, 0x12, 2, Gid.parseHex("00000000000000000000ffff7f000002"));

    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        other.shutdownNow();
    }

    private <T> Future<T> server(ServerSocket listener, java.util.function.Function<Socket, T> part) {
        Callable<T> task = () -> {
            try (Socket socket = Wire.accept(listener, TIMEOUT)) {
                return part.apply(socket);
            }
        };
        return other.submit(task);
    }

    private static ServerSocket listen() {
        return Wire.listen(InetAddress.getLoopbackAddress(), 0);
    }

    private static Socket connect(int port) {
        return Wire.connect("127.0.0.1", port, TIMEOUT);
    }

    @Test
    void sidesExchangeAddresses() throws Exception {
        ServerSocket listener = listen();
        List<Address> connected = new ArrayList<>();
        int port = listener.getLocalPort();
        Future<List<Address>> server = server(listener, s -> Exchange.server(s, List.of(SERVER), 1, connected::addAll));
        try (Socket socket = connect(port)) {
            assertThat(Exchange.client(socket, List.of(CLIENT), 1)).containsExactly(SERVER);
        }
        assertThat(server.get(Patience.SECONDS, TimeUnit.SECONDS)).containsExactly(CLIENT);
        assertThat(connected).containsExactly(CLIENT);
    }

    /** Exchanges the bytes that the client of ibv_rc_pingpong sends and expects. */
    @Test
    void clientInCGetsExpectedBytes() throws Exception {
        ServerSocket listener = listen();
        int port = listener.getLocalPort();
        Future<List<Address>> server = server(listener, s -> Exchange.server(s, List.of(SERVER), 1, r -> {}));
        try (Socket socket = connect(port)) {
            socket.getOutputStream().write((CLIENT.toText() + '\0').getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(52);
            assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo(SERVER_TEXT + '\0');
            socket.getOutputStream().write("done\0".getBytes(StandardCharsets.US_ASCII));
            assertThat(server.get(Patience.SECONDS, TimeUnit.SECONDS)).containsExactly(CLIENT);
        }
    }

    /** Exchanges the bytes that the server of ibv_rc_pingpong expects and sends. */
    @Test
    void serverInCGetsExpectedBytes() throws Exception {
        ServerSocket listener = listen();
        int port = listener.getLocalPort();
        Future<String> server = server(listener, s -> {
            try {
                StringBuilder seen = new StringBuilder();
                byte[] message = new byte[52];
                int n = s.getInputStream().read(message); // one read, as in C
                seen.append(new String(message, 0, n, StandardCharsets.US_ASCII));
                s.getOutputStream().write((SERVER_TEXT + '\0').getBytes(StandardCharsets.US_ASCII));
                n = s.getInputStream().read(message);
                return seen.append(new String(message, 0, n, StandardCharsets.US_ASCII))
                        .toString();
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        try (Socket socket = connect(port)) {
            assertThat(Exchange.client(socket, List.of(CLIENT), 1)).containsExactly(SERVER);
            assertThat(server.get(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(CLIENT.toText() + "\0done\0");
        }
    }

    @Test
    void unusedPlacesOfSrqExchangeHoldZeroAddress() {
        byte[] wire = Exchange.wire(List.of(CLIENT, SERVER), 256);
        assertThat(wire).hasSize(256 * 52);
        assertThat(new String(wire, 52, 51, StandardCharsets.US_ASCII)).isEqualTo(SERVER_TEXT);
        assertThat(new String(wire, 255 * 52, 51, StandardCharsets.US_ASCII)).isEqualTo(Address.NONE.toText());
    }

    @Test
    void differentQueuePairCountsFail() throws Exception {
        ServerSocket listener = listen();
        int port = listener.getLocalPort();
        Future<List<Address>> server = server(listener, s -> Exchange.server(s, List.of(SERVER), 4, r -> {}));
        try (Socket socket = connect(port)) {
            assertThatThrownBy(() -> Exchange.client(socket, List.of(CLIENT, CLIENT), 4))
                    .isInstanceOf(ToolException.class);
        }
        assertThatThrownBy(() -> server.get(Patience.SECONDS, TimeUnit.SECONDS))
                .hasMessageContaining("the peer has 2 queue pairs and this side 1")
                .hasMessageContaining("--num-qp");
    }

    @Test
    void serverOfAnotherProtocolFails() throws Exception {
        ServerSocket listener = listen();
        int port = listener.getLocalPort();
        Future<byte[]> server = server(listener, s -> {
            try {
                s.getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\nServer: something\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                return s.getInputStream().readNBytes(52);
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        try (Socket socket = connect(port)) {
            assertThatThrownBy(() -> Exchange.client(socket, List.of(CLIENT), 1))
                    .hasMessageContaining("HTTP/1.1 400 Bad Request")
                    .hasMessageContaining("ping-pong of the same type");
        }
        assertThat(server.get(Patience.SECONDS, TimeUnit.SECONDS))
                .startsWith(CLIENT.toText().getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void missingPeerFailsWithReason() {
        ServerSocket listener = listen();
        int port = listener.getLocalPort();
        assertThatThrownBy(() -> Wire.accept(listener, 1000))
                .hasMessageContaining("no client connected to TCP port " + port + " within 1 s")
                .hasMessageContaining("--timeout");
        assertThatThrownBy(() -> connect(port))
                .hasMessageContaining("couldn't connect to 127.0.0.1:" + port)
                .hasMessageContaining("start the server there first");
        assertThatThrownBy(() -> Wire.connect("no-such-host.invalid", 1, 1000))
                .hasMessageContaining("'no-such-host.invalid'")
                .extracting(e -> ((ToolException) e).exitCode())
                .isEqualTo(ExitCode.FAILED);
    }

    @Test
    void takenPortFails() throws Exception {
        try (ServerSocket taken = listen()) {
            assertThatThrownBy(() -> Wire.listen(InetAddress.getLoopbackAddress(), taken.getLocalPort()))
                    .hasMessageContaining("couldn't listen on TCP port " + taken.getLocalPort())
                    .hasMessageContaining("-p");
        }
    }
}
