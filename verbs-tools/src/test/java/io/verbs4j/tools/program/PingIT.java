/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.StrictJson;
import io.verbs4j.tools.base.ExitCode;
import io.verbs4j.tools.device.Devices;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code verbs ping} between processes, on the embedded device. */
@Tag("e2e")
class PingIT {
    /** Waits until a server listens, and returns its port. */
    private static int port(Program server) throws InterruptedException {
        server.awaitError("waiting for a client on port ");
        server.awaitError(" of rxe_emb0");
        return Integer.parseInt(server.err().replaceAll("(?s).*on port (\\d+) of.*", "$1"));
    }

    @Test
    void pingWithoutHostRunsBothSides() {
        assertThat(Program.run("ping").succeeds().out())
                .containsPattern("^10 pings between 127\\.[0-9.]+:\\d+ \\(rxe_emb0\\) and 127\\.[0-9.]+:\\d+; "
                        + "verified: every byte of 640, none differed\nround trip: min ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-S 26", "-S 1000 -e", "-S 65535 -C 100"})
    @Full
    void serverAndClientReportSamePings(String options) throws Exception {
        try (Program server = Program.start("ping -s -p 0 --json -v")) {
            int port = port(server);
            Program client = Program.run("ping localhost --json -v -p " + port + " " + options)
                    .succeeds();
            server.succeeds();
            Map<String, Object> here = StrictJson.object(client.out());
            Map<String, Object> there = StrictJson.object(server.out());
            assertThat(here).containsEntry("mode", "client").containsEntry("local", there.get("remote"));
            assertThat(there)
                    .containsEntry("mode", "server")
                    .containsEntry("local", here.get("remote"))
                    .containsEntry("pings", here.get("pings"))
                    .containsEntry("bytesVerified", here.get("bytesVerified"));
            assertThat((String) here.get("remote")).endsWith(":" + port);
            assertThat((Double) here.get("pings")).isEqualTo(options.contains("-C") ? 100.0 : 10.0);
            String shown = client.err()
                    .lines()
                    .filter(l -> l.startsWith("ping data: rdma-ping-9: JKL"))
                    .findFirst()
                    .orElse("");
            assertThat(shown).isNotEmpty();
            assertThat(server.err()).contains("server " + shown + "\n");
        }
    }

    @Test
    @Full
    void serverListensAtGivenAddressOnly() throws Exception {
        String settings = " -Dio.verbs4j.rxe.addresses=";
        try (Program server = Program.start("ping -s -p 7199 -a 127.9.8.7" + settings + "127.9.8.7")) {
            server.awaitError("waiting");
            assertThat(Program.run("ping 127.9.8.7 -p 7199" + settings + "127.9.8.6")
                            .succeeds()
                            .out())
                    .contains("127.9.8.6:")
                    .contains("and 127.9.8.7:7199;");
            server.succeeds();
        }
    }

    @Test
    @Full
    void persistentServerServesSeveralClientsAtOnce() throws Exception {
        try (Program server = Program.start("ping -s -P -p 0")) {
            String client = "ping localhost -C 2000 -p " + port(server);
            try (Program first = Program.start(client);
                    Program second = Program.start(client)) {
                first.succeeds();
                second.succeeds();
            }
            Program.run(client).succeeds();
            while (server.out().lines().count() < 3) {
                assertThat(server.process().isAlive()).isTrue();
                Thread.sleep(10);
            }
            assertThat(server.out().lines()).allMatch(l -> l.startsWith("2000 pings between"));
        }
    }

    @Test
    void pingWithoutListenerIsRejected() {
        Program.run("ping localhost -p 7198")
                .fails(ExitCode.FAILED, "REJECTED: no listener there (8): no process has published port 7198");
    }

    @Test
    void pingOfSilentAddressTimesOut() {
        Program.run("ping 127.99.99.99 --timeout 1").fails(ExitCode.FAILED, "; check that the machine is up");
    }

    @Test
    void unreachableOrForeignAddressFails() {
        Program.run("ping ::2 -Dio.verbs4j.rxe.addresses=127.9.8.5")
                .fails(ExitCode.NOT_AVAILABLE, "rxe_emb0: none of its addresses reaches it");
        Program.run("ping -s -a 192.0.2.1").fails(ExitCode.NOT_AVAILABLE, "rxe_emb0: none of its addresses matches");
    }

    @Test
    void serverWithoutClientTimesOut() {
        Program.run("ping -s -p 0 --timeout 1").fails(ExitCode.FAILED, "no client connected within 1 s");
    }

    /** A rejection by the program at the peer is reported as a refusal. */
    @Test
    void rejectionByProgramIsReported() throws Exception {
        try (Context context = Devices.INSTALLED.openFor(null, 1);
                EventChannel channel = EventChannel.create();
                CmId listener = channel.createId(context, PortSpace.TCP)) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            listener.listen(1);
            try (Program client =
                    Program.start("ping localhost -p " + listener.localAddress().getPort())) {
                CmEvent request = channel.getEvent();
                assertThat(request.type()).isEqualTo(CmEventType.CONNECT_REQUEST);
                request.id().reject();
                client.fails(ExitCode.FAILED, "REJECTED: refused by the program at the peer (28)");
            }
        }
    }

    @Test
    @Full
    void killedServerFailsClient() throws Exception {
        try (Program server = Program.start("ping -s -p 0");
                Program client = Program.start("ping localhost -C 0 -v --timeout 2 -p " + port(server))) {
            while (!client.out().contains("rdma-ping-20:")) {
                assertThat(client.process().isAlive()).as(client::toString).isTrue();
                Thread.sleep(10);
            }
            server.process().destroyForcibly();
            client.fails(ExitCode.FAILED, "verbs: ");
        }
    }

    @Test
    @Full
    void killedClientFailsServer() throws Exception {
        try (Program server = Program.start("ping -s -p 0 --timeout 10");
                Program client = Program.start("ping localhost -C 0 -v -p " + port(server))) {
            while (!client.out().contains("rdma-ping-20:")) {
                assertThat(client.process().isAlive()).as(client::toString).isTrue();
                Thread.sleep(10);
            }
            client.process().destroyForcibly();
            server.fails(ExitCode.FAILED, "verbs: ");
        }
    }

    @Test
    @Full
    void lostPacketsAreRetransmitted() {
        Program.run("ping -C 100 -S 5000 -Dio.verbs4j.rxe.faults=drop=0.02,seed=7")
                .succeeds();
    }
}
