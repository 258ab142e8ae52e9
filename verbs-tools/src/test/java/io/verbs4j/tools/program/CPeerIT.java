/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Full;
import io.verbs4j.tools.device.Devices;
import io.verbs4j.tools.net.Exchange;
import io.verbs4j.tools.net.Wire;
import io.verbs4j.tools.traffic.Endpoint;
import io.verbs4j.tools.traffic.EndpointOptions;
import io.verbs4j.tools.traffic.Pattern;
import io.verbs4j.tools.traffic.Service;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests {@code verbs pingpong} with a peer that behaves like the C programs: one buffer for sending and receiving, and
 * no TCP connection after the addresses are exchanged. The real C programs need a kernel device.
 */
@Full
@Tag("e2e")
class CPeerIT {
    private static final int ITERATIONS = 50;
    private static final int TIMEOUT = 30_000;

    private static EndpointOptions options(Service service) {
        return new EndpointOptions(service, 1, 0, 1024, 0, 1, 1, 100, AccessFlags.LOCAL_WRITE, 1, false, false);
    }

    /** Runs the loop of the C programs. */
    private static void play(Endpoint endpoint, Service service, int size, boolean client) {
        SendWorkRequest request = new SendWorkRequest().opcode(WrOpcode.SEND);
        int sent = 0;
        int received = 0;
        boolean sending = client;
        boolean receiving = true;
        if (client) {
            endpoint.postSend(0, request, service.headroom(), size);
        }
        while (sent < ITERATIONS || received < ITERATIONS) {
            int n = endpoint.completions().await(TIMEOUT * 1_000_000L, () -> false);
            assertThat(n).isPositive();
            for (int i = 0; i < n; i++) {
                if ((endpoint.completions().get(i).opcode() & WcOpcode.RECV) != 0) {
                    received++;
                    receiving = false;
                } else {
                    sent++;
                    sending = false;
                }
                if (sent < ITERATIONS && !sending && !receiving) {
                    endpoint.postSend(0, request, service.headroom(), size);
                    sending = true;
                    receiving = true;
                }
            }
        }
    }

    private static Endpoint endpoint(Context context, Service service, ByteBuffer buffer, int size) {
        Endpoint endpoint = Endpoint.create(context, buffer, options(service));
        for (int i = 0; i < 100; i++) {
            endpoint.postRecv(i, 0, size + service.headroom());
        }
        return endpoint;
    }

    private static ByteBuffer filled(int length) {
        ByteBuffer buffer = Pattern.allocate(length);
        for (int i = 0; i < length; i++) {
            buffer.put(i, (byte) 0x7b);
        }
        return buffer;
    }

    @ParameterizedTest
    @CsvSource({"RC,false", "RC,true", "UC,false", "UD,true"})
    void clientVerifiesDataOfServerInC(Service service, boolean check) throws Exception {
        int size = service == Service.UD ? 1024 : 10000;
        ByteBuffer buffer = filled(size + service.headroom());
        ServerSocket listener = Wire.listen(InetAddress.getLoopbackAddress(), 0);
        try (Context context = Devices.INSTALLED.openFor(null, 1);
                Endpoint endpoint = endpoint(context, service, buffer, size);
                Program client = Program.start("pingpong " + service.label() + " 127.0.0.1 --json -s " + size + " -n "
                        + ITERATIONS + " -p " + listener.getLocalPort() + (check ? " -c" : ""))) {
            try (Socket socket = Wire.accept(listener, TIMEOUT)) {
                Exchange.server(socket, endpoint.local(), 1, endpoint::connect);
            }
            play(endpoint, service, size, false);
            assertThat(client.succeeds().out())
                    .contains("\"peer\": \"C\"")
                    .contains("\"bytesVerified\": " + ITERATIONS * size);
            for (int i = 0; check && i < size; i += 4096) {
                assertThat(buffer.get(service.headroom() + i)).isZero(); // the C server checks this
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"RC,false", "RC,true", "UC,true", "UD,false"})
    void serverVerifiesDataOfClientInC(Service service, boolean check) throws Exception {
        int size = service == Service.UD ? 1024 : 10000;
        ByteBuffer buffer = filled(size + service.headroom());
        for (int i = 0; check && i < size; i += 4096) {
            buffer.put(service.headroom() + i, (byte) 0);
        }
        try (Program server = Program.start("pingpong " + service.label() + " --json -s " + size + " -n " + ITERATIONS
                        + " -p " + 0 + (check ? " -c" : ""));
                Context context = Devices.INSTALLED.openFor(null, 1);
                Endpoint endpoint = endpoint(context, service, buffer, size)) {
            server.awaitError("waiting for a client on TCP port ");
            int port = Integer.parseInt(server.err().strip().replaceAll("(?s).*port ", ""));
            try (Socket socket = Wire.connect("127.0.0.1", port, TIMEOUT)) {
                endpoint.connect(Exchange.client(socket, endpoint.local(), 1));
            }
            play(endpoint, service, size, true);
            assertThat(server.succeeds().out())
                    .contains("\"peer\": \"C\"")
                    .contains("\"bytesVerified\": " + ITERATIONS * size);
        }
    }

    @Test
    void clientInCThatDoesNotClearPagesFails() throws Exception {
        ByteBuffer buffer = filled(4096);
        try (Program server = Program.start("pingpong rc -c -p 0");
                Context context = Devices.INSTALLED.openFor(null, 1);
                Endpoint endpoint = endpoint(context, Service.RC, buffer, 4096)) {
            server.awaitError("waiting for a client on TCP port ");
            int port = Integer.parseInt(server.err().strip().replaceAll("(?s).*port ", ""));
            try (Socket socket = Wire.connect("127.0.0.1", port, TIMEOUT)) {
                endpoint.connect(Exchange.client(socket, endpoint.local(), 1));
            }
            endpoint.postSend(0, new SendWorkRequest().opcode(WrOpcode.SEND), 0, 4096);
            server.fails(1, "invalid data in page 0");
        }
    }
}
